import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

test('where Vitest does not run, and where a test does not, useCassette() says what to do', async () => {
  await using project = await createEchoProject({
    'no-runner.mjs': `import { useCassette } from 'retake/vitest'
try {
  useCassette()
} catch ({ name, message }) {
  console.log(name + ': ' + message)
}
`,
    'wrong.test.ts': `import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
const messages: string[] = []
const call = () => {
  try {
    useCassette()
    messages.push('nothing was wrong')
  } catch (error) {
    messages.push(String(error))
  }
}
let late: Promise<void> | undefined
let release = () => {}
describe('a group', () => {
  beforeAll(call)
  test('leaves work behind', () => {
    late = new Promise<void>((done) => (release = done)).then(call)
  })
})
test('ends it', async () => {
  release()
  await late
})
afterAll(() => {
  call()
  console.log(messages.join('\\n'))
})
`,
  })
  const without = await project.run({ command: ['node', 'no-runner.mjs'] })
  expect(without.stdout).toBe(`ConfigError: useCassette() needs the plugin, and it is not active here.
  Add it to the Vitest config: import { retake } from 'retake/vitest', then plugins: [retake()].
  A project of its own (test.projects) needs it too, or \`extends: true\`.
`)
  const { stdout } = await project.run()
  const outside = `ConfigError: useCassette() was called outside of every test, such as in beforeAll.
  Call it in the test, in beforeEach or in a fixture, or at the top of the file or describe.
`
  const ended = `ConfigError: useCassette() was called after its test had ended: a group > leaves work behind.
  Await everything that the test starts, and call it before the first model call.
`
  expect(stdout).toContain(outside + ended + outside)
})

const entry = fileURLToPath(new URL('../../../packages/retake/src/vitest-browser.ts', import.meta.url))

test('in a page there is no retake, and it says so', async () => {
  const page = `import { useCassette } from ${JSON.stringify(entry)}
try { useCassette() } catch (error) { globalThis.said = error.name + ': ' + error.message }`
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'page', resolveId: (id) => (id === 'page' ? id : null), load: (id) => (id === 'page' ? page : null) },
    ],
    build: { write: false, minify: false, rollupOptions: { input: 'page' } },
  })
  const [chunk] = 'output' in built ? built.output : []
  if (chunk?.type !== 'chunk') throw new TypeError('nothing was built')
  expect(chunk.imports).toEqual([])
  const context: { said?: string } = {}
  await runInNewContext(`(async () => {${chunk.code.replaceAll('import.meta.url', '"http://localhost/"')}})()`, context)
  expect(
    context.said,
  ).toBe(`ConfigError: useCassette() does not work in browser mode: a cassette is a file, and a page has none.
  Test the agent in a project that runs in Node, without \`browser.enabled\`; its environment may be jsdom.`)
})

test('a project that runs in Node and asks for the files of browsers has all of it', async () => {
  const { useCassette } = await import('../../../packages/retake/src/vitest-browser.ts')
  expect(useCassette).toBe((await import('retake/vitest')).useCassette)
})
