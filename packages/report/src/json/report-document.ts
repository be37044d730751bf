import type { JsonObject } from '@retake/trace'
import { actsDifferently, type ChangeReport, toVerdict } from '../change/verdict.ts'

/** A report for programs. `files` of a cause are paths of conversations. */
export const toReportDocument = (report: ChangeReport): JsonObject => {
  const { base, head, conversations, causes, unchanged, broken } = report
  const document = {
    verdict: toVerdict(report),
    base,
    head,
    changed: conversations.length,
    actsDifferently: conversations.filter(actsDifferently).length,
    unchanged,
    conversations: conversations.map(({ conversation: _, ...members }) => members),
    causes: causes.map(({ change, conversations: reached }) => ({
      ...change,
      files: reached.flatMap((index) => conversations[index]?.file ?? []),
    })),
    broken,
  }
  return document as unknown as JsonObject
}
