import { createHeldHistory } from '@retake/providers'
import { ConfigError, type Trace, terminalOutcome } from '@retake/trace'
import type { OpenCassette } from './cassette.ts'
import { cassetteExtension } from './cassette-path.ts'
import { createClock } from './clock/clock.ts'
import { type Comparison, createComparison } from './comparison.ts'
import type { Driver, DriverContext } from './driver.ts'
import type { CassetteMissingError } from './errors.ts'
import { checkChild } from './fork/check-child.ts'
import { openEnd, toBeginning, toChangedResult } from './fork/fork-beginning.ts'
import { type ForkPlace, missingParent, placeFork } from './fork/fork-place.ts'
import { findForkPoint } from './fork/fork-point.ts'
import { createForkingDriver } from './fork/forking-driver.ts'
import { missingCassette } from './missing-cassette.ts'
import { cassetteExists, headerFor, readCassette, recordedAt } from './read-cassette.ts'
import { type ModelSource, provider } from './record/model-source.ts'
import { createRecordingDriver, type RecordingOptions } from './record/recording-driver.ts'
import type { RunBeginning } from './record/run-beginning.ts'
import { createMissingDriver } from './replay/missing-driver.ts'
import { fromPath, readFrom } from './replay/read-from.ts'
import { toRecordedRun } from './replay/recorded-run.ts'
import type { ReplayOptions } from './replay/replayer.ts'
import { createReplayingDriver } from './replay/replaying-driver.ts'
import { readScript, type ScriptedTurn } from './script/read-script.ts'
import { createScriptedModel } from './script/scripted-model.ts'

/** What is going to happen with a cassette. */
export interface Plan {
  state: 'recording' | 'replaying'
  /** Where its file is, or will be; that of a fork is not the one it was asked for. */
  path: string
  name: string
  /** Of a fork: the cassette that it starts as. */
  parent?: string
  createDriver(context: DriverContext): Driver
}

/**
 * Decides what becomes of a cassette that is opened: it is recorded, replayed from its own file or another, forked or scripted.
 * @throws ConfigError for options that contradict each other; CassetteMissingError where nothing may be recorded
 */
export function planRun(options: OpenCassette): Plan {
  const { mode, path, name, script, fork, from } = options
  if (script && fork) {
    throw new ConfigError('a run is scripted or forked: give the replies behind the fork point as `fork.then`', {
      option: 'script',
    })
  }
  if (script && options.clock === 'recorded') {
    throw new ConfigError('a scripted run has no recorded time: give `clock` a Date', { option: 'clock' })
  }
  if (from !== undefined) return planFrom(options, from)
  if (script) return { state: 'replaying', path, name, createDriver: (context) => createScripted(options, context) }
  if (fork) return planFork(placeFork({ ...options, fork }))
  const state = mode === 'update' || (mayRecord(options) && !cassetteExists(path)) ? 'recording' : 'replaying'
  if (state === 'recording') {
    return { state, path, name, createDriver: (context) => createRecording(options, context) }
  }
  if (cassetteExists(path)) return { state, path, name, createDriver: (context) => createReplay(options, context) }
  return planMissing(options, missingCassette(options))
}

/** A file of any format is replayed, whatever the mode: nothing is ever written to it. */
function planFrom(options: OpenCassette, given: string): Plan {
  if (options.script ?? options.fork) {
    throw new ConfigError('a run is replayed from a file, scripted or forked: give one of them', { option: 'from' })
  }
  const from = fromPath(options, given)
  return {
    state: 'replaying',
    path: from,
    name: options.name,
    createDriver(context) {
      const comparison = createComparison(options)
      const read = readFrom(from)
      const run = toRecordedRun(read, comparison)
      // Other tools may keep nothing of the end.
      const anyEnd = read.isForeign === true && terminalOutcome(read.trace).status === 'incomplete'
      return createReplayingDriver(run, { ...replayOptions(options, comparison), anyEnd }, context)
    },
  }
}

function planFork(options: ForkPlace): Plan {
  const { mode, path, name, fork } = options
  const place = { path, name, parent: options.parent }
  if (mode !== 'update' && cassetteExists(path)) {
    return { ...place, state: 'replaying', createDriver: (context) => createReplay(options, context, options) }
  }
  const writes = mayRecord(options)
  if (!writes && fork.then === 'live') return { ...planMissing(options, missingCassette(options)), ...place }
  if (!cassetteExists(options.parent)) return { ...planMissing(options, missingParent(options)), ...place }
  const state = writes ? 'recording' : 'replaying'
  return { ...place, state, createDriver: (context) => createFork(options, context, writes) }
}

function planMissing(options: OpenCassette, error: CassetteMissingError): Plan {
  if (!options.lazy) throw error
  const { path, name } = options
  return { state: 'replaying', path, name, createDriver: (context) => createMissingDriver(context, error) }
}

const mayRecord = ({ mode, ci }: OpenCassette): boolean => mode === 'update' || (mode === 'auto' && !ci)

function createRecording(options: OpenCassette, context: DriverContext): Driver {
  if (options.review) refuseUnnamed(options.path)
  const clock = createClock()
  const now = clock.stamp()
  // What the agent takes for now must be what the file says, also in the next replay.
  const createdAt = options.clock === 'recorded' ? (recordedAt(options.path) ?? now) : now
  return createRecordingDriver(context, {
    ...recordingOptions(options, createComparison(options)),
    header: headerFor(options.path, createdAt, options.id),
    clock,
    model: provider,
    writes: true,
  })
}

/** The name of a take is made of that of its cassette. */
function refuseUnnamed(path: string): void {
  if (path.endsWith(cassetteExtension)) return
  throw new ConfigError(`a recording waits only beside a cassette that is named …${cassetteExtension}\n  ${path}`, {
    option: 'review',
    path,
  })
}

function createScripted(options: OpenCassette, context: DriverContext): Driver {
  const { path, script, test, runKind = 'test', scriptName = 'script' } = options
  const clock = createClock()
  return createRecordingDriver(context, {
    ...recordingOptions(options, createComparison(options)),
    header: { id: options.id ?? 'scripted', createdAt: clock.stamp() },
    clock,
    model: createScriptedModel(readScript(script, scriptName), { path, test: test.name, runKind, option: scriptName }),
    writes: false,
  })
}

const recordingOptions = (
  { maxLiveRequests = 50, allowUnused = false, format = 'v3', review = false, onReply }: OpenCassette,
  { redaction }: Comparison,
): Pick<RecordingOptions, 'maxLiveRequests' | 'allowUnused' | 'format' | 'review' | 'redaction' | 'onReply'> => ({
  maxLiveRequests,
  allowUnused,
  format,
  review,
  redaction,
  onReply,
})

function createReplay(options: OpenCassette, context: DriverContext, fork?: ForkPlace): Driver {
  const comparison = createComparison(options)
  const file = readCassette(options.path)
  if (fork) {
    const { point, changed, script, parent } = readFork(fork)
    const facts = { parent, from: fork.parent, point, changed, script, redaction: comparison.redaction }
    checkChild(file, facts, { ...context, inForce: comparison.inForce })
  }
  return createReplayingDriver(toRecordedRun(file, comparison), replayOptions(options, comparison), context)
}

const replayOptions = (
  { match = 'strict', allowUnused = false, pace = 'instant', tools }: OpenCassette,
  comparison: Comparison,
): ReplayOptions => ({ match, allowUnused, pace, comparison, ...(tools && { tools }) })

/** @throws CassetteMissingError and the errors of a broken parent; ConfigError for a point or script that is none */
function readFork(options: ForkPlace) {
  const { fork, parent: from, scriptName = 'fork.then' } = options
  if (!cassetteExists(from)) throw missingParent(options)
  const script = fork.then === 'live' ? undefined : readScript(fork.then, scriptName)
  // The formats of other tools are not loaded for what is none.
  const parent = from.endsWith(cassetteExtension) ? readCassette(from) : readFrom(from, 'fork.from')
  const point = findForkPoint(parent.trace, fork, from)
  return { parent, point, changed: toChangedResult(point, fork), script }
}

function createFork(options: ForkPlace, context: DriverContext, writes: boolean): Driver {
  const { parent, point, changed, script } = readFork(options)
  const comparison = createComparison(options)
  const beginning = toBeginning(parent, point, changed)
  const history = createHeldHistory()
  const clock = createClock(latestTime(beginning))
  const { createdAt, id: parentId } = parent.trace
  const recording = createRecordingDriver(context, {
    ...recordingOptions(options, comparison),
    header: { ...headerFor(options.path, createdAt, options.id), parentId, forkedFromStepId: point.id },
    clock,
    model: script ? scriptedEnd(script, beginning, options) : provider,
    writes,
    beginning,
    history,
  })
  const trace: Trace = { ...parent.trace, steps: [...beginning.steps] }
  const run = openEnd(toRecordedRun({ trace, extras: [...beginning.extras] }, comparison), trace, point, changed)
  const replay = { ...replayOptions(options, comparison), history }
  return createForkingDriver(context, { run, point, parent: options.parent, replay, recording })
}

/** Ids of the script's calls follow those of the beginning. */
const scriptedEnd = (
  script: ScriptedTurn[],
  { nextCall }: RunBeginning,
  { path, test, runKind = 'test', scriptName = 'fork.then' }: ForkPlace,
): ModelSource => createScriptedModel(script, { path, test: test.name, runKind, option: scriptName }, nextCall)

const latestTime = ({ steps }: RunBeginning): number =>
  steps.reduce((latest, { timestamp }) => Math.max(latest, timestamp), 0)
