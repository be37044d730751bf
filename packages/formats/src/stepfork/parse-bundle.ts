import { UnsupportedError } from '@retake/trace'
import * as v from 'valibot'
import { parseTokens, TokenFault } from '../json/parse-tokens.ts'
import { toPlain } from '../json/plain-json.ts'
import { isTokenObject, type TokenJson, type TokenObject } from '../json/tokens.ts'
import { type StepforkBundle, schemaVersion } from './bundle.ts'
import type { StepforkIssue } from './issue.ts'
import { payloadHashes } from './payload-hashes.ts'
import { eventSchema, manifestSchema, redactionsSchema } from './shape.ts'

/** Why a bundle cannot be loaded. Internal: readers turn it into the error that a user meets. */
export class BundleFault extends Error {
  readonly issue: StepforkIssue

  constructor(code: string, location: string, message: string) {
    super(message)
    this.issue = { code, message, location }
  }
}

/**
 * The bundle in the bytes of its three files.
 * @throws BundleFault
 */
export function parseBundle(bytes: ReadonlyMap<string, Buffer>): StepforkBundle {
  const manifest = parseFile(bytes, 'manifest.json')
  refuseSchema(manifest, 'manifest.json')
  if (!v.is(manifestSchema, toPlain(manifest))) {
    throw new BundleFault('invalid_manifest', 'manifest.json', firstProblem(manifestSchema, toPlain(manifest)))
  }
  const events = linesOf(decode(bytes, 'events.jsonl')).map((line, at) => parseEvent(line, `events.jsonl:${at + 1}`))
  const redactions = parseFile(bytes, 'redactions.json')
  refuseSchema(redactions, 'redactions.json')
  if (!v.is(redactionsSchema, toPlain(redactions))) {
    throw new BundleFault('invalid_manifest', 'redactions.json', firstProblem(redactionsSchema, toPlain(redactions)))
  }
  return { manifest, events, redactions: (redactions.get('entries') ?? []) as TokenObject[] }
}

function parseFile(bytes: ReadonlyMap<string, Buffer>, file: string): TokenObject {
  const value = parseJson(decode(bytes, file), file)
  if (isTokenObject(value)) return value
  throw new BundleFault('invalid_manifest', file, 'The file holds no object.')
}

function refuseSchema(value: TokenObject, file: string): void {
  if (value.get('schema_version') === schemaVersion) return
  throw new BundleFault('unsupported_schema', file, `The schema version is not ${schemaVersion}.`)
}

function parseEvent(line: string, location: string): TokenObject {
  if (line.trim() === '') throw new BundleFault('invalid_json', location, 'A line is blank.')
  const event = parseJson(line, location)
  if (!isTokenObject(event)) throw new BundleFault('invalid_event', location, 'The line holds no object.')
  const plain = toPlain(event)
  if (!v.is(eventSchema, plain)) throw new BundleFault('invalid_event', location, firstProblem(eventSchema, plain))
  try {
    payloadHashes(event)
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error
    throw new BundleFault('invalid_event', location, `A payload cannot be hashed: ${error.message}.`)
  }
  return event
}

function parseJson(text: string, location: string): TokenJson {
  try {
    return parseTokens(text)
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    throw new BundleFault('invalid_json', location, `Invalid JSON: ${error.message}.`)
  }
}

function decode(bytes: ReadonlyMap<string, Buffer>, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.get(file))
  } catch {
    throw new BundleFault('invalid_json', file, 'A byte is no UTF-8.')
  }
}

/** A final line feed ends the last line. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Which member is wrong, without its value. */
function firstProblem(schema: v.GenericSchema, value: unknown): string {
  const [issue] = v.safeParse(schema, value, { abortEarly: true }).issues ?? []
  const path = issue?.path?.map(({ key }) => String(key)).join('.')
  return path ? `Its member ${path} is missing, unknown or wrong.` : 'Its members contradict each other.'
}
