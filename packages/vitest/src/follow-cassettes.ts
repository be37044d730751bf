import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import type { Reporter, Vitest } from 'vitest/node'

/** Folders of cassettes beside test files, by the config of a run. */
const foldersOf = new WeakMap<object, Set<string>>()
const wrapped = new WeakSet<object>()

/**
 * Tells Vitest which test a cassette belongs to: in `vitest related`, with `--changed`, and in watch mode, where a
 * cassette that somebody edits runs its test again and one that a test writes does not. `folder` is that of one project.
 */
export const followCassettes = (vitest: Vitest, folder: string): void => {
  const { config } = vitest
  const known = foldersOf.get(config)
  const folders = known ?? new Set<string>()
  folders.add(folder)
  foldersOf.set(config, folders)
  const toTest = (file: string): string => testFileOf(file, folders) ?? file
  if (config.related) config.related = config.related.map(toTest)
  if (known) return
  followChanges(vitest, toTest)
  if (config.watch) followEdits(vitest, folders)
}

const cassette = /\.cassette\.json$/

/** The test file that a cassette lies beside, if there is one. */
const testFileOf = (file: string, folders: ReadonlySet<string>): string | undefined => {
  if (!cassette.test(file)) return undefined
  const ofTest = dirname(normalize(file))
  const homes = [...folders].flatMap((folder) => {
    const end = join(folder, basename(ofTest))
    return ofTest.endsWith(end) ? [ofTest.slice(0, -end.length)] : []
  })
  return homes.map((home) => join(home, basename(ofTest))).find((candidate) => existsSync(candidate))
}

/** The way Vitest asks git, which answers with cassettes too. */
const followChanges = ({ vcs }: Vitest, toTest: (file: string) => string): void => {
  if (wrapped.has(vcs)) return
  wrapped.add(vcs)
  const findChangedFiles = vcs.findChangedFiles.bind(vcs)
  vcs.findChangedFiles = async (options) => (await findChangedFiles(options)).map(toTest)
}

const followEdits = ({ config }: Vitest, folders: ReadonlySet<string>): void => {
  const own = new Map<string, number>()
  let running = false
  const follower: Reporter = {
    onTestRunStart() {
      running = true
    },
    onTestCaseResult(test) {
      for (const { path, kind } of test.meta().retake ?? []) {
        if (kind === 'recorded' || kind === 'updated') own.set(path, timeOf(path))
      }
    },
    onTestRunEnd() {
      running = false
    },
  }
  ;(config.reporters as unknown[]).push(follower)
  config.watchTriggerPatterns = [
    ...(config.watchTriggerPatterns ?? []),
    {
      pattern: cassette,
      // While tests run the writer is one of them, and after that the watcher may still be telling of it.
      testsToRun: (file) =>
        running || own.get(normalize(file)) === timeOf(file) ? undefined : testFileOf(file, folders),
    },
  ]
}

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
