import { resolve } from 'node:path'
import { formatContent, renderOverview, renderStepDetail } from '@retake/report'
import {
  type CassetteFile,
  checkPayloadShape,
  loadCassette,
  terminalOutcome,
  toolPathOf,
  type VerifyReport,
  verifyFile,
} from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
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
    const cassette = loadCassette(path)
    const verify = { ...verifyFile(path), file: name }
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
      if (flags.has('json')) io.print(formatDocument(toDocument(cassette, verify, tools)))
      else io.print(renderOverview({ name, cassette, tools, verify, style: io.style, width: io.width }))
    }
    return verify.pass ? exitCode.yes : exitCode.no
  },
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
  { file, pass, checks }: VerifyReport,
  tools: string[],
): object => {
  const { id, createdAt, parentId, forkedFromStepId, steps } = trace
  const { status } = terminalOutcome(trace)
  return {
    file,
    version: Number(format.slice(1)),
    id,
    createdAt,
    ...(parentId !== undefined && { parentId }),
    ...(forkedFromStepId !== undefined && { forkedFromStepId }),
    ...(test && { test }),
    status,
    tools,
    verify: { pass, checks },
    steps: steps.map((step) => {
      const { index, type, timestamp, hash } = step
      return { index, type, timestamp, hash, summary: formatContent(step) }
    }),
  }
}
