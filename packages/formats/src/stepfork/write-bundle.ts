import { sha256 } from '@retake/trace'
import { printPython } from '../json/print-python.ts'
import { NumberToken, type TokenJson, type TokenObject } from '../json/tokens.ts'
import { bundleFiles, headOf, integrityFile, type StepforkBundle, schemaVersion } from './bundle.ts'
import { payloadHashes } from './payload-hashes.ts'
import { type RedactionFinding, redactMembers, replacement } from './redact.ts'
import { commonMembers, payloadMembers } from './shape.ts'

/** Structural members of events and manifest: never redacted. */
const keptOfEvent = new Set([
  ...commonMembers.map(([name]) => name),
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cost_usd',
  'run_status',
])
const keptOfManifest = new Set(['format', 'schema_version', 'run_id', 'created_at', 'status', 'totals'])

/** In redactions.json, for what stood in the manifest. */
const manifestId = '__manifest__'

/**
 * The four files of a bundle: redacted, then hashed, then sealed by their digests. A bundle that was loaded gives the
 * bytes it had, if they were written by Stepfork or retake.
 * @throws SecretFoundError for a credential in a structural member
 */
export function toStepforkFiles(bundle: StepforkBundle): Map<string, string> {
  const entries = bundle.redactions.map((entry) => new Map(entry))
  const note = (id: string, findings: RedactionFinding[]) => {
    for (const { path, reason } of findings) {
      const entry = toEntry(id, path, reason)
      if (!entries.some((other) => sameEntry(other, entry))) entries.push(entry)
    }
  }
  const events = bundle.events.map((event) => {
    const { value, findings } = redactMembers(event, keptOfEvent)
    note(headOf(event).id, findings)
    return toLine(value, findings)
  })
  const { value: redacted, findings } = redactMembers(toManifest(bundle), keptOfManifest)
  // Redaction sorts what lies deeper.
  const manifest = toManifest({ ...bundle, manifest: redacted })
  note(manifestId, findings)
  const redactions: TokenObject = new Map<string, TokenJson>([
    ['schema_version', schemaVersion],
    ['entries', entries],
  ])
  const files = new Map([
    ['manifest.json', printFile(manifest)],
    ['events.jsonl', events.map((line) => `${line}\n`).join('')],
    ['redactions.json', printFile(redactions)],
  ])
  return files.set(integrityFile, printFile(toIntegrity(files)))
}

const printFile = (value: TokenObject): string => `${printPython(value, { indented: true, numbersAsWritten: true })}\n`

function toEntry(id: string, path: string, reason: string): TokenObject {
  return new Map([
    ['event_id', id],
    ['path', path],
    ['reason', reason],
    ['replacement', replacement],
  ])
}

const sameEntry = (a: TokenObject, b: TokenObject): boolean =>
  ['event_id', 'path', 'reason'].every((member) => a.get(member) === b.get(member))

function toIntegrity(files: ReadonlyMap<string, string>): TokenObject {
  const digests: TokenObject = new Map(bundleFiles.map((file) => [file, sha256(files.get(file) ?? '')]))
  return new Map<string, TokenJson>([
    ['schema_version', schemaVersion],
    ['algorithm', 'sha256'],
    ['files', digests],
  ])
}

/** A line of events.jsonl: every member in the order of the format, with the hashes of the payloads it now has. */
function toLine(event: TokenObject, findings: RedactionFinding[]): string {
  const { type } = headOf(event)
  const line: TokenObject = new Map()
  for (const [name, absent] of commonMembers) line.set(name, event.get(name) ?? absentValue(absent, type))
  for (const name of Object.keys(payloadMembers[type])) line.set(name, event.get(name) ?? null)
  const hashes = payloadHashes(line)
  line.set('input_hash', hashes.input_hash ?? null)
  line.set('output_hash', hashes.output_hash ?? null)
  line.set('redactions', [...(line.get('redactions') as TokenJson[]), ...findings.map(({ path }) => path)])
  return printPython(line, { compact: true, numbersAsWritten: true })
}

function absentValue(absent: (typeof commonMembers)[number][1], type: string): TokenJson {
  if (absent === 'empty') return []
  if (absent === 'ok') return type === 'error' ? 'error' : 'ok'
  if (absent === 'frozen') return 'frozen'
  return absent === 'none' ? new NumberToken('0') : null
}

/** The manifest with every member in its order, and its counts made anew. */
function toManifest({ manifest, events }: StepforkBundle): TokenObject {
  const part = (name: string) => (manifest.get(name) ?? new Map()) as TokenObject
  const count = (type?: string) =>
    new NumberToken(String(events.filter((event) => type === undefined || headOf(event).type === type).length))
  const orNull = (names: string[], from: TokenObject): [string, TokenJson][] =>
    names.map((name) => [name, from.get(name) ?? null])
  return new Map<string, TokenJson>([
    ['format', 'stepfork'],
    ['schema_version', schemaVersion],
    ...orNull(['run_id', 'agent_name', 'created_at', 'status'], manifest),
    ['failure', manifest.has('failure') ? ordered(manifest.get('failure'), ['type', 'message', 'step']) : null],
    ['environment', new Map(orNull(['python', 'os', 'stepfork_version'], part('environment')))],
    [
      'totals',
      new Map([
        ['events', count()],
        ['llm_calls', count('llm_request')],
        ['tool_calls', count('tool_call')],
        ...orNull(['cost_usd', 'duration_ms'], part('totals')),
      ]),
    ],
  ])
}

const ordered = (value: TokenJson | undefined, names: string[]): TokenJson =>
  value instanceof Map ? new Map(names.map((name) => [name, value.get(name) ?? null])) : null
