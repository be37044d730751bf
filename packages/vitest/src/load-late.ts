import { ConfigError } from '@retake/trace'

type Late = typeof import('./late.ts')

const { createRequire } = process.getBuiltinModule('node:module')
const load = createRequire(import.meta.url)
const isSource = import.meta.url.endsWith('.ts')

let loaded: Late | undefined

/** Loads what opens and ends cassettes: the config, and most test files, need none of it. */
export const loadLate = async (): Promise<void> => {
  loaded ??= await import('./late.ts')
}

/**
 * What `loadLate()` loads, at once, by Node itself where it is not there yet: where a test imports `retake/vitest` while
 * it runs.
 *
 * @throws ConfigError where Node itself would load it into another realm than that of the test, as with `vmThreads`
 */
export const late = (): Late => {
  if (loaded) return loaded
  if (load('node:vm').runInThisContext('Object') !== Object) {
    throw new ConfigError(
      'retake/vitest was imported while a test ran, which the pools vmThreads and vmForks do not allow.\n' +
        '  Import it at the top of the test file.',
    )
  }
  loaded = load(isSource ? './late.ts' : './late.mjs') as Late
  return loaded
}
