import type { NumberToken, TokenJson, TokenObject } from '../json/tokens.ts'

/** A loaded `.sftrace` bundle. Members are as they were written, so that it can be hashed and saved as it was. */
export interface StepforkBundle {
  manifest: TokenObject
  events: TokenObject[]
  /** The entries of redactions.json. */
  redactions: TokenObject[]
}

export type EventType =
  | 'run_start'
  | 'llm_request'
  | 'llm_response'
  | 'tool_call'
  | 'tool_result'
  | 'state_change'
  | 'error'
  | 'run_end'

/** The members of an event that every type has, read. */
export interface EventHead {
  id: string
  runId: string
  parentId: string | undefined
  step: number
  type: EventType
}

/** Of an event whose shape was checked. */
export const headOf = (event: TokenObject): EventHead => ({
  id: event.get('id') as string,
  runId: event.get('run_id') as string,
  parentId: textOf(event.get('parent_id')),
  step: (event.get('step') as NumberToken | undefined)?.value ?? 0,
  type: event.get('type') as EventType,
})

export const textOf = (value: TokenJson | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

export const bundleFiles = ['manifest.json', 'events.jsonl', 'redactions.json'] as const

export const integrityFile = 'integrity.json'

export const schemaVersion = '0.1'
