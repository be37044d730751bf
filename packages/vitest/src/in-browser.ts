import { ConfigError } from '@retake/trace'

/** By way of its URL, which no bundler follows: what a browser gets must not hold what only Node has. */
const load = async (): Promise<typeof import('./index.ts') | undefined> => {
  if (typeof process !== 'object' || process.versions?.node === undefined) return undefined
  const file = import.meta.url.endsWith('.ts') ? './index.ts' : './vitest.mjs'
  return await import(/* @vite-ignore */ new URL(file, import.meta.url).href)
}

// Some projects run in Node and ask for the files of browsers, as Svelte's do.
const inNode = await load()

const refuse = (call: string) => (): never => {
  throw new ConfigError(
    `${call} does not work in browser mode: a cassette is a file, and a page has none.\n` +
      '  Test the agent in a project that runs in Node, without `browser.enabled`; its environment may be jsdom.',
  )
}

export const useCassette = inNode?.useCassette ?? refuse('useCassette()')
export const expectCassette = inNode?.expectCassette ?? refuse('expectCassette()')
export const retake = inNode?.retake ?? refuse('retake()')
export const modelInput = inNode?.modelInput ?? refuse('modelInput()')
export const toolResult = inNode?.toolResult ?? refuse('toolResult()')
