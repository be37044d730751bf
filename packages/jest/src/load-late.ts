import { createRequire } from 'node:module'

type Late = typeof import('./late.ts')

/** The code behind cassettes, when a test first asks for one: at once, since `useCassette()` cannot wait. */
export const late = (): Late =>
  createRequire(import.meta.url)(import.meta.url.endsWith('.ts') ? './late.ts' : './jest-late.mjs')
