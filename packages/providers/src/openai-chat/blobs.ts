import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { othersBlob } from '../reply-members.ts'
import type { ReplyExtras } from '../wire.ts'
import { othersOfCall } from './reply-members.ts'

/** Members of a message, and of one of its tool calls, that a live continuation must send back. */
export const messageBlobs = ['reasoning_details', 'extra_content', 'thought_signature'] as const
const callBlobs = ['extra_content'] as const

/** Where vendors put thinking. OpenAI itself shows none on this wire. */
const reasoningFields = ['reasoning_content', 'reasoning'] as const

export type ReasoningField = (typeof reasoningFields)[number]

// Those of the whole message stand at part 0 and tell it by their kind.
const kindOf = (name: string): string => `message.${name}`
const reasoningFieldKind = kindOf('reasoning_field')
const contentChunksKind = kindOf('content_chunks')
const objectArgumentsKind = 'object_arguments'

/** The member that holds thinking, if one does. Of two that say the same the first is read. */
export const reasoningFieldOf = (message: JsonObject): ReasoningField | undefined =>
  reasoningFields.find((name) => toText(message[name]) !== '')

export const reasoningFieldBlob = (field: ReasoningField): Opaque => ({
  part: 0,
  kind: reasoningFieldKind,
  value: field,
})
/** Groq counts the tokens of a stream in a member of its own, and its clients look nowhere else. */
export const groqUsageBlob: Opaque = { part: 0, kind: kindOf('groq_usage'), value: true }
export const hasGroqUsage = (extras: ReplyExtras | undefined): boolean => find(extras, groqUsageBlob.kind) === true
export const contentChunksBlob: Opaque = { part: 0, kind: contentChunksKind, value: true }
export const messageBlob = (name: string, value: JsonValue): Opaque => ({ part: 0, kind: kindOf(name), value })

export const readMessageBlobs = (message: JsonObject): Opaque[] => {
  const field = reasoningFieldOf(message)
  return [
    ...(field && !reasoningFields.every((name) => toText(message[name]) !== '') ? [reasoningFieldBlob(field)] : []),
    ...(Array.isArray(message.content) ? [contentChunksBlob] : []),
    ...members(message, messageBlobs).map(([name, value]) => messageBlob(name, value)),
  ]
}

/** Some servers send arguments as an object where the API has a text. */
export const readCallBlobs = (call: JsonObject, part: number): Opaque[] => [
  ...members(call, callBlobs).map(([kind, value]) => ({ part, kind, value })),
  ...(isJsonObject(toObject(call.function).arguments) ? [{ part, kind: objectArgumentsKind, value: true }] : []),
  ...othersBlob('call', othersOfCall(call), part),
]

export const hasObjectArguments = (extras: ReplyExtras | undefined, part: number): boolean =>
  extras?.opaque?.some((blob) => blob.part === part && blob.kind === objectArgumentsKind) ?? false

const members = (object: JsonObject, names: readonly string[]): [string, JsonValue][] =>
  names.flatMap((name) => {
    const value = object[name]
    return value === undefined || isNothing(value) ? [] : [[name, value] as [string, JsonValue]]
  })

const find = (extras: ReplyExtras | undefined, kind: string): JsonValue | undefined =>
  extras?.opaque?.find((blob) => blob.kind === kind)?.value

export const writeMessageBlobs = (extras: ReplyExtras | undefined): JsonObject =>
  Object.fromEntries(
    messageBlobs.flatMap((name) => {
      const value = find(extras, kindOf(name))
      return value === undefined ? [] : [[name, value]]
    }),
  )

export const writeCallBlobs = (extras: ReplyExtras | undefined, part: number): JsonObject =>
  Object.fromEntries(
    (extras?.opaque ?? [])
      .filter((blob) => blob.part === part && callBlobs.some((name) => name === blob.kind))
      .map(({ kind, value }) => [kind, value]),
  )

/** The members to write thinking to. Without a record of it both are written: every client looks at one of them. */
export const writtenReasoningFields = (extras: ReplyExtras | undefined): readonly string[] => {
  const field = find(extras, reasoningFieldKind)
  return typeof field === 'string' ? [field] : reasoningFields
}

/** Mistral shows thinking as chunks of the content, and its clients look nowhere else. */
export const writesContentChunks = (extras: ReplyExtras | undefined, url: string): boolean =>
  find(extras, contentChunksKind) === true || /(^|\.)mistral\.ai$/.test(new URL(url).hostname)
