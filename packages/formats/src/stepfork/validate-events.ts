import type { NumberToken, TokenObject } from '../json/tokens.ts'
import { type EventHead, headOf, type StepforkBundle } from './bundle.ts'
import type { StepforkIssue } from './issue.ts'
import { type HashMember, payloadHashes } from './payload-hashes.ts'

export interface ValidateOptions {
  /** False for a run that is not over, or was recorded in part. [true] */
  strict?: boolean
}

/** What is wrong between the events of a bundle whose files are sound. */
export function validateEvents({ manifest, events }: StepforkBundle, { strict = true }: ValidateOptions = {}) {
  const heads = events.map(headOf)
  const issues: StepforkIssue[] = []
  const totals = manifest.get('totals') as TokenObject | undefined
  const stated = (totals?.get('events') as NumberToken | undefined)?.value ?? 0
  if (stated !== events.length) {
    const message = `The manifest counts ${stated} events, and there are ${events.length}.`
    issues.push({ code: 'event_count_mismatch', message, location: 'manifest.json:totals.events' })
  }
  const firstAt = new Map<string, number>()
  heads.forEach(({ id }, at) => {
    if (!firstAt.has(id)) firstAt.set(id, at)
  })
  for (const [at, head] of heads.entries()) {
    const found = (code: string, message: string) =>
      issues.push({ code, message, location: `events.jsonl:${at + 1}`, eventId: head.id, step: head.step })
    if (firstAt.get(head.id) !== at) found('duplicate_event_id', 'The id of the event stands there already.')
    if (head.runId !== manifest.get('run_id')) found('run_id_mismatch', 'The run of the event is not the manifest’s.')
    if (head.step < (heads[at - 1]?.step ?? 0)) found('step_order', 'The step is less than the one before.')
    const parent = parentProblem(head, at, firstAt)
    if (parent) found(...parent)
  }
  const count = (type: string) => heads.filter((head) => head.type === type).length
  if (strict && count('run_start') !== 1) {
    const message = `A complete run has exactly one run_start; this one has ${count('run_start')}.`
    issues.push({ code: 'run_start_count', message, location: 'events.jsonl' })
  }
  if (strict && manifest.get('status') === 'failed' && count('error') === 0) {
    const message = 'A failed run has an error event; this one has none.'
    issues.push({ code: 'missing_error_event', message, location: 'events.jsonl' })
  }
  return issues
}

function parentProblem(
  { parentId }: EventHead,
  at: number,
  firstAt: ReadonlyMap<string, number>,
): [string, string] | undefined {
  if (parentId === undefined) return undefined
  const parentAt = firstAt.get(parentId)
  if (parentAt === undefined) return ['invalid_parent', 'The parent of the event is not in the bundle.']
  return parentAt >= at ? ['parent_not_earlier', 'The parent of the event does not come before it.'] : undefined
}

/** Hashes that are missing (`integrity_unverified`) or are not those of the payloads (`payload_hash_mismatch`). */
export function validateHashes({ events }: StepforkBundle): StepforkIssue[] {
  return events.flatMap((event, at) => {
    const expected = payloadHashes(event)
    const { id: eventId, step } = headOf(event)
    return (['input_hash', 'output_hash'] as HashMember[]).flatMap((member): StepforkIssue[] => {
      const stored = event.get(member) ?? undefined
      if (stored === expected[member]) return []
      const [code, message] =
        stored === undefined
          ? ['integrity_unverified', `The event has no ${member}.`]
          : ['payload_hash_mismatch', `The ${member} of the event is not that of its payload.`]
      return [{ code, message, location: `events.jsonl:${at + 1}:${member}`, eventId, step }]
    })
  })
}
