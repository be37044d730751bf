import { diffOutcome, diffTraces, diffTracesSemantic } from '@retake/compare'
import { type Trace, verifyFile, verifyTrace } from '@retake/trace'
import { indent, type Judgement, type MatcherContext, mostLines } from './matcher.ts'
import { type Run, type Subject, toSubject } from './subject.ts'

export const traceMatchers = {
  toMatchTrace(
    this: MatcherContext,
    { trace, file }: Subject,
    other: Run | Trace | string,
    { semantic = false }: { semantic?: boolean } = {},
  ): Judgement {
    const expected = toSubject(other)
    const diff = (semantic ? diffTracesSemantic : diffTraces)(expected.trace, trace)
    const how = semantic ? 'in what they say' : 'by hash'
    return {
      pass: !diff.hasDivergence,
      message: ({ createStyle, renderTraceDiff }) => {
        if (!diff.hasDivergence) return `expected the run not to match the other, but all steps are the same ${how}`
        const text = renderTraceDiff({
          first: { name: expected.file ?? 'expected', trace: expected.trace },
          second: { name: file ?? 'received', trace },
          diff,
          outcome: diffOutcome(expected.trace, trace),
          style: createStyle(),
        })
        return `expected the run to match the other, but it differs ${how}\n\n${indent(cutLines(text))}`
      },
    }
  },

  toBeVerified(this: MatcherContext, { trace, file }: Subject): Judgement {
    const { checks, pass } = file === undefined ? verifyTrace(trace) : verifyFile(file)
    const failed = checks.find(({ status }) => status === 'fail')
    return {
      pass,
      message: () =>
        failed
          ? `expected the run to verify, but ${failed.name} fails${failed.where ? ` at ${failed.where}` : ''}: ${failed.detail}`
          : 'expected the run not to verify, but every check passes',
    }
  },
}

const cutLines = (text: string): string => {
  const lines = text.split('\n')
  const hidden = lines.length - mostLines
  return hidden <= 0
    ? text
    : [...lines.slice(0, mostLines), '', `  … ${hidden} more lines; retake diff shows all`].join('\n')
}
