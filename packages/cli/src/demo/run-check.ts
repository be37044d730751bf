import { diffOutcome, diffTraces, forkTrace } from '@retake/compare'
import { formatTrace, parseTrace, type Trace, terminalOutcome, type VerifyReport, verifyText } from '@retake/trace'
import { formatSteps } from '../format-steps.ts'
import { continueScenario, recordScenario } from './scenarios.ts'

export interface Stage {
  name: 'record' | 'verify' | 'fork' | 'verify fork' | 'diff'
  status: 'pass' | 'fail'
  detail: string
}

/** The result that is changed. */
const at = 3
const createdAt = Date.UTC(2026, 0, 1)

/** Records, verifies, forks, verifies and compares a run of the built-in agent, all in memory. */
export const runCheck = (): Stage[] => {
  const parent = recordScenario('success', createdAt)
  const fork = forkTrace(parent, { at, set: { orderId: 'A-77', status: 'delivered' }, createdAt })
  const child = continueScenario(fork) ?? fork
  return [
    toStage('record', terminalOutcome(parent).status === 'success', describe(parent)),
    toVerifyStage('verify', parent),
    toStage('fork', child.parentId === parent.id && child.forkedFromStepId === parent.steps[at]?.id, describe(child)),
    toVerifyStage('verify fork', child),
    toDiffStage(parent, child),
  ]
}

const toStage = (name: Stage['name'], pass: boolean, detail: string): Stage => ({
  name,
  status: pass ? 'pass' : 'fail',
  detail,
})

const describe = (trace: Trace): string => `${formatSteps(trace.steps.length)}, ${terminalOutcome(trace).status}`

/** Both formats, as they would be read from a file. */
const toVerifyStage = (name: Stage['name'], trace: Trace): Stage => {
  const texts = [formatTrace(trace), formatTrace(trace, { format: 'v3' })]
  const reports = texts.map((text) => verifyText(text))
  const isSame = texts.every((text) => formatTrace(parseTrace(text)) === texts[0])
  const failed = reports.flatMap(({ checks }: VerifyReport) => checks.filter(({ status }) => status === 'fail'))
  const detail = failed[0] ? `${failed[0].name}: ${failed[0].detail}` : 'version 2 and version 3, the same run'
  return toStage(name, failed.length === 0 && isSame, isSame ? detail : 'version 3 gives another run')
}

const toDiffStage = (parent: Trace, child: Trace): Stage => {
  const { firstDivergenceIndex } = diffTraces(parent, child)
  const { verdict, finalAnswerChanged } = diffOutcome(parent, child)
  return toStage(
    'diff',
    firstDivergenceIndex === at && finalAnswerChanged,
    `parts at step ${firstDivergenceIndex}; ${verdict}`,
  )
}
