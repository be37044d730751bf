type Formats = typeof import('@retake/formats')

// Not the one that is imported, which Vitest replaces in vmThreads by one that knows no ES modules.
const { createRequire } = process.getBuiltinModule('node:module')

/**
 * The formats of other tools, when a run first needs one: few do, and they are most of the code behind a cassette. At
 * once, since `useCassette()` cannot wait, and by Node itself: they only make data of texts.
 */
export const formats = (): Formats =>
  createRequire(import.meta.url)(import.meta.url.endsWith('.ts') ? '@retake/formats' : './formats.mjs')
