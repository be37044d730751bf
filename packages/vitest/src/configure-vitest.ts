import { fileURLToPath } from 'node:url'
import { resolveMode } from '@retake/session'
import { defaultDir, type RetakeOptions, requireNode } from '@retake/session/runner'
import { isRetakeError } from '@retake/trace'
import { isCI } from 'std-env'
import type { Vitest, VitestPluginContext } from 'vitest/node'
import { addCassetteReporter } from './cassette-reporter.ts'
import { followCassettes } from './follow-cassettes.ts'
import { hasReader } from './for-people.ts'
import { addRecordKey } from './record-key.ts'
import { showProgress } from './recording-progress.ts'
import { allowForRecording, type WrittenConfig } from './recording-timeout.ts'
import { readUpdateFlag } from './update-flag.ts'
import type { ProvidedSettings } from './worker-state.ts'

// In the repository the sources run as they are; the package has the setup file beside the file of this code.
const setupFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './vitest-setup.mts', import.meta.url),
)

/** Prepares one project of a run for cassettes. `written` is its config as the user wrote it. */
export const configureVitest = (
  { vitest, project }: VitestPluginContext,
  options: RetakeOptions,
  written: WrittenConfig,
): void => {
  const { config } = project
  // A browser has no file system to record to; useCassette() says there that the plugin is not active.
  if (config.browser.enabled) return
  inOneSentence(requireNode)
  const forPeople = hasReader(vitest)
  const { flag, ...others } = readSources(vitest)
  const sources = { ...others, flag: flag ?? (updatesWithSnapshots(vitest, options) ? 'update' : undefined) }
  const mode = inOneSentence(() => resolveMode({ ...sources, option: options.mode }))

  if (!config.setupFiles.includes(setupFile)) config.setupFiles.unshift(setupFile)
  const mayRecord = mode === 'auto' || mode === 'update'
  const settings = { ...sources, mode, options, progress: mayRecord && forPeople, columns: process.stdout.columns }
  project.provide('retake', settings)
  followCassettes(vitest, options.dir ?? defaultDir)
  addRecordKey(vitest, project, settings, toUpdating(settings))
  if (settings.progress) showProgress(vitest, process.stdout.isTTY === true)
  if (mayRecord) allowForRecording(vitest, project, written)
  addCassetteReporter(vitest, project, { dir: options.dir ?? defaultDir, mode, ci: sources.ci })
}

/** Read after the flag, which Vitest takes for an update of snapshots. */
const updatesWithSnapshots = ({ config }: Vitest, { updateWithSnapshots = false }: RetakeOptions): boolean =>
  updateWithSnapshots && config.snapshotOptions.updateSnapshot === 'all'

/** The same run, if the command line had asked for an update. */
const toUpdating = (settings: ProvidedSettings): ProvidedSettings => {
  const updating = { ...settings, flag: 'update' }
  return { ...updating, mode: resolveMode({ ...updating, option: settings.options.mode }) }
}

type Sources = Pick<ProvidedSettings, 'env' | 'flag' | 'ci'>

const sourcesOf = new WeakMap<object, Sources>()

/** Once a run: reading the flag takes it out of the config, where the next project would not find it. */
const readSources = (vitest: Vitest): Sources => {
  const known = sourcesOf.get(vitest.config)
  if (known) return known
  const { argv, env } = process
  const flag = inOneSentence(() => readUpdateFlag(vitest, { argv, env, ci: isCI }))
  const sources = { env: env.RETAKE, flag, ci: isCI }
  sourcesOf.set(vitest.config, sources)
  return sources
}

/** Vitest prints what stops a run with stack and members; of a wrong option only the sentence helps. */
const inOneSentence = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (isRetakeError(error)) {
      const { name, message, code, details } = error
      Object.defineProperties(error, {
        stack: { value: `${name}: ${message}` },
        code: { value: code, enumerable: false },
        details: { value: details, enumerable: false },
      })
    }
    throw error
  }
}
