import { resolve } from 'node:path'
import type { FormatReport, ReadRun } from '@retake/formats'
import { formatContent, renderOverview, renderStepDetail } from '@retake/report'
import {
  type CassetteFile,
  checkPayloadShape,
  loadCassette,
  terminalOutcome,
  toolPathOf,
  verifyFile,
} from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { openForeign } from '../foreign-file.ts'
import { formatDocument } from '../format-document.ts'
import { oneFile } from '../one-file.ts'

export const inspect: Command = {
  name: 'inspect',
  args: '<file>',
  summary: 'Show what a cassette holds, step by step',
  options: { step: ['index', 'Show one step with its whole payload'] },
  flags: { json: 'Print one JSON document' },
  details: 'Exit code: 0 shown, 1 shown, but the cassette does not verify, 2 it could not be read.',

  run({ args, flags, options }, io) {
    const name = oneFile('inspect', args)
    const path = resolve(io.cwd, name)
    const { cassette, verify, about } = readRun(path, name)
    const index = options.get('step')
    if (index !== undefined) {
      const step = toStep(index, cassette)
      const extras = extrasOf(cassette, step.index)
      io.print(
        flags.has('json')
          ? formatDocument({ ...step, ...(extras && { extras }) })
          : renderStepDetail({ step, extras, style: io.style, width: io.width }),
      )
    } else {
      // Payloads of other shapes have no calls that could be told.
      const tools = checkPayloadShape(cassette.trace).pass ? toolPathOf(cassette.trace) : []
      if (flags.has('json')) io.print(formatDocument(toDocument(cassette, verify, tools, about)))
      else
        io.print(
          renderOverview({
            name,
            cassette,
            tools,
            verify,
            ...(about && toNotes(verify, about)),
            style: io.style,
            width: io.width,
          }),
        )
    }
    return verify.pass ? exitCode.yes : exitCode.no
  },
}

/** What is said of a file of another tool beside its steps. */
type About = Pick<ReadRun, 'lost' | 'missing'>

interface Inspected {
  cassette: CassetteFile
  verify: FormatReport & { file: string }
  about?: About
}

/** A file of another tool is shown as the trace that it converts to. */
const readRun = (path: string, file: string): Inspected => {
  const foreign = openForeign(path)
  if (!foreign) return { cassette: loadCassette(path), verify: { ...verifyFile(path), file } }
  const { format, source } = foreign
  const { trace, extras, lost, missing = [] } = format.read(source)
  const report = format.verify?.(source) ?? { format: format.name, version: null, pass: true, checks: [] }
  return { cassette: { trace, format: 'v3', extras }, verify: { ...report, file }, about: { lost, missing } }
}

const toNotes = ({ format, version }: FormatReport, { lost, missing = [] }: About) => {
  const [first] = missing
  const notes: (readonly [string, string])[] = [
    ...(lost.length > 0
      ? [
          [
            'not shown',
            lost.length === 1
              ? 'one thing that has no place in a trace'
              : `${lost.length} things that have no place in a trace`,
          ] as const,
        ]
      : []),
    ['replay', first ? `no: ${first.where}: ${first.what}` : 'yes, with useCassette({ from })'],
  ]
  return { label: version === null ? format : `${format} ${version}`, notes }
}

const toStep = (index: string, { trace: { steps } }: CassetteFile) => {
  const step = /^(?:0|[1-9]\d*)$/.test(index) ? steps[Number(index)] : undefined
  if (step) return step
  const range = steps.length === 0 ? 'the cassette has none' : `the cassette has 0 to ${steps.length - 1}`
  throw new UsageError(`--step takes the index of a step, not "${index}"; ${range}`)
}

const extrasOf = ({ extras }: CassetteFile, index: number) => {
  const own = extras.find(({ step }) => step === index)
  if (!own) return undefined
  const { step: _, ...rest } = own
  return rest
}

const toDocument = (
  { trace, format, test }: CassetteFile,
  { file, format: name, version, pass, checks }: Inspected['verify'],
  tools: string[],
  about: About | undefined,
): object => {
  const { id, createdAt, parentId, forkedFromStepId, steps } = trace
  const { status } = terminalOutcome(trace)
  return {
    file,
    ...(about ? { format: name, version } : { version: Number(format.slice(1)) }),
    id,
    createdAt,
    ...(parentId !== undefined && { parentId }),
    ...(forkedFromStepId !== undefined && { forkedFromStepId }),
    ...(test && { test }),
    status,
    tools,
    verify: { pass, checks },
    ...about,
    steps: steps.map((step) => {
      const { index, type, timestamp, hash } = step
      return { index, type, timestamp, hash, summary: formatContent(step) }
    }),
  }
}
