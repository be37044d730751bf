import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { forkTrace } from '@retake/compare'
import {
  type CassetteFile,
  isRetakeError,
  type JsonValue,
  readText,
  refuseAllSecrets,
  saveCassette,
  terminalOutcome,
} from '@retake/trace'
import { type Command, exitCode, type Input, UsageError } from '../command.ts'
import { continueScenario } from '../demo/scenarios.ts'
import { openForeign } from '../foreign-file.ts'
import { formatSteps } from '../format-steps.ts'
import type { Io } from '../io.ts'
import { launch } from '../launch/launch.ts'
import { noticeUnfinished, reportOutcome } from '../launch/report-outcome.ts'
import { sessionOptions, toSessionVariables } from '../launch/session-options.ts'
import { toMatch } from '../launch/to-match.ts'
import { oneFile } from '../one-file.ts'
import { readCassette } from '../read-cassette.ts'

export const fork: Command = {
  name: 'fork',
  args: '<file> --at <step> [-- <command…>]',
  summary: 'Run an agent on a recording up to a step, and let it go another way from there',
  options: {
    at: ['step', 'The step that is another: its index'],
    set: ['JSON|@file', 'What the tool gives there instead'],
    out: ['file', 'Where the fork is written [<file>.fork.cassette.json]'],
    script: ['file', 'Who answers from there on: the replies of a JSON file'],
    id: ['id', 'The id of the fork'],
    match: ['strict|sequence', 'Compare each request before the step, or serve the replies in order [strict]'],
    ...sessionOptions,
  },
  flags: { live: 'Who answers from there on: the provider' },
  takesCommand: true,
  details: [
    'The steps before --at are those of the recording, after the agent has made them again. Without a command the fork',
    'ends where it begins to differ; one of `retake demo` is continued by the agent that is built in.',
    'Exit code: that of the command; 1 where it is 0 and the fork failed.',
  ].join('\n'),

  run(input, io) {
    const file = oneFile('fork', input.args)
    const plan = toPlan(file, input, io)
    return input.command ? forkCommand(plan, input, input.command, io) : forkFile(plan, input, io)
  },
}

interface Plan {
  file: string
  cassette: CassetteFile
  at: number
  set: JsonValue | undefined
  out: string
}

const toPlan = (file: string, { options }: Input, io: Io): Plan => {
  const at = options.get('at')
  if (at === undefined) throw new UsageError('fork needs the step that is another: --at 3')
  if (!/^(?:0|[1-9]\d*)$/.test(at)) throw new UsageError('--at takes the index of a step: 0, 1, 2 …')
  const cassette = readAny(file, io)
  const step = cassette.trace.steps[Number(at)]
  if (!step || step.type === 'metadata') {
    const what = step ? `step ${at} is metadata` : `there is no step ${at}`
    throw new UsageError(`--at: ${what} in ${file}; retake inspect ${file} lists the steps`)
  }
  const set = readSet(options.get('set'), io)
  if (set !== undefined && step.type !== 'tool_result') {
    throw new UsageError(`--set gives the result of a tool, and step ${at} is a ${step.type}`)
  }
  const out = options.get('out') ?? `${file.replace(/(\.cassette)?\.json$/, '')}.fork.cassette.json`
  for (const other of [file, ...(options.has('script') ? [options.get('script') ?? ''] : [])]) {
    if (isSameFile(resolve(io.cwd, out), resolve(io.cwd, other)))
      throw new UsageError(`--out must be another file than ${other}`)
  }
  return { file, cassette, at: Number(at), set, out }
}

/** A recording of another tool is forked as the trace that it converts to. */
const readAny = (file: string, io: Io): CassetteFile => {
  const foreign = openForeign(resolve(io.cwd, file))
  if (!foreign) return readCassette(file, io)
  const { trace, extras } = foreign.format.read(foreign.source)
  return { trace, extras, format: 'v3' }
}

const readSet = (value: string | undefined, { cwd }: Io): JsonValue | undefined => {
  if (value === undefined) return undefined
  const isFile = value.startsWith('@')
  const text = isFile ? readText(resolve(cwd, value.slice(1))) : value
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw new UsageError(
      isFile ? `${value.slice(1)} is no JSON` : `--set takes JSON, such as '"late"' or '{"status":"late"}'`,
    )
  }
}

const isSameFile = (one: string, other: string): boolean =>
  one === other || (existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other))

const forkCommand = async (plan: Plan, { options, flags }: Input, command: string[], io: Io): Promise<number> => {
  const { file, at, set, out } = plan
  const script = options.get('script')
  if (command.length === 0) throw new UsageError('fork needs a command behind --')
  if (flags.has('live') === (script !== undefined))
    throw new UsageError('fork goes on with --live or with --script <file>')
  if (script !== undefined) checkScript(script, io)
  const id = options.get('id')
  const match = toMatch(options)
  const told = {
    CASSETTE: resolve(io.cwd, file),
    OUT: resolve(io.cwd, out),
    FORK_AT: String(at),
    CONTINUE: script === undefined ? 'live' : 'script',
    ...(set !== undefined && { FORK_SET: JSON.stringify(set) }),
    ...(script !== undefined && { SCRIPT: resolve(io.cwd, script) }),
    ...(id !== undefined && { ID: id }),
    ...(match && { MATCH: match }),
    ...toSessionVariables(options),
  }
  const launched = await launch({ mode: 'fork', command, cwd: io.cwd, told })
  return reportOutcome(launched, {
    verb: 'fork',
    io,
    success: ({ steps, status, ...report }) => [
      ...describeFork(plan, steps, status),
      ...noticeUnfinished({ steps, status, ...report }),
    ],
  })
}

/** What is no reply in it is told by the session, with its place. */
const checkScript = (script: string, { cwd }: Io): void => {
  const path = resolve(cwd, script)
  if (!existsSync(path)) throw new UsageError(`there is no script ${script}`)
  try {
    if (Array.isArray(JSON.parse(readText(path)))) return
  } catch (error) {
    if (isRetakeError(error)) throw error
  }
  throw new UsageError(`the script must be a JSON list of replies, and ${script} is none`)
}

const describeFork = ({ file, at, set, out }: Plan, steps: number, status: string): string[] => {
  const copied = at === 0 ? 'nothing is copied' : `steps 0–${at - 1} are copied`
  return [
    `wrote ${out} (${formatSteps(steps)}, ${status}); ${copied}${set === undefined ? '' : `, step ${at} is your new result`}`,
    `next: retake diff ${file} ${out}`,
  ]
}

/** The format page's built-in fork. */
const forkFile = async (plan: Plan, { options, flags }: Input, io: Io): Promise<number> => {
  for (const name of ['script', 'match', ...Object.keys(sessionOptions)]) {
    if (options.has(name))
      throw new UsageError(`--${name} needs a command: retake fork <file> --at 3 … -- node agent.mjs`)
  }
  if (flags.has('live'))
    throw new UsageError('--live needs a command: retake fork <file> --at 3 --live -- node agent.mjs')
  const { cassette, at, set, out } = plan
  const id = options.get('id')
  const child = forkTrace(cassette.trace, { at, ...(set !== undefined && { set }), ...(id !== undefined && { id }) })
  const trace = continueScenario(child) ?? child
  await refuseAllSecrets(trace)
  const kept = cassette.extras.filter(({ step }) => step < at)
  saveCassette({ trace, format: cassette.format, extras: cassette.format === 'v2' ? [] : kept }, resolve(io.cwd, out))
  for (const line of describeFork(plan, trace.steps.length, terminalOutcome(trace).status)) io.print(line)
  return exitCode.yes
}
