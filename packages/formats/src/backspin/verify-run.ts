import { CassetteVersionError, findSecrets, isRetakeError, type VerifyCheck } from '@retake/trace'
import { toPlain } from '../json/plain-json.ts'
import { NumberToken } from '../json/tokens.ts'
import type { FormatReport } from '../run-format.ts'
import { hasFingerprint, wasRedacted } from './fingerprint.ts'
import { parseBackspin } from './parse-run.ts'
import { type BackspinRun, backspinSchema } from './run-file.ts'

type Check = (run: BackspinRun) => Omit<VerifyCheck, 'name'>

const checks: readonly (readonly [string, Check])[] = [
  ['lines', checkLines],
  ['sequence', checkSequence],
  ['fingerprints', checkFingerprints],
  ['spans', checkSpans],
  ['secrets', checkSecrets],
]

/** What `verify` says of the text of a run file. Never throws. */
export function verifyBackspin(text: string): FormatReport {
  try {
    const run = parseBackspin(text)
    const rows = checks.map(([name, check]): VerifyCheck => ({ name, ...check(run) }))
    const schema: VerifyCheck = { name: 'schema', status: 'pass', detail: `schema ${backspinSchema}` }
    return toReport(backspinSchema, [schema, ...rows])
  } catch (error) {
    if (!isRetakeError(error)) throw error
    const version = error instanceof CassetteVersionError ? (error.details.version as number | null) : null
    const [detail = ''] = error.message.split('\n')
    const where =
      typeof error.details.where === 'string' ? { where: error.details.where.replace('the run', 'line') } : {}
    const failed: VerifyCheck = { name: 'schema', status: 'fail', code: error.code, ...where, detail }
    const skipped = checks.map(([name]): VerifyCheck => ({ name, status: 'skip', detail: 'skipped (no run was read)' }))
    return toReport(version, [failed, ...skipped])
  }
}

const toReport = (version: number | null, rows: VerifyCheck[]): FormatReport => ({
  format: 'backspin',
  version,
  pass: rows.every(({ status }) => status === 'pass'),
  checks: rows,
})

const pass = (detail: string) => ({ status: 'pass' as const, detail })
const fail = (code: string, where: string, detail: string) => ({ status: 'fail' as const, code, where, detail })

function checkLines({ events, truncated }: BackspinRun) {
  if (truncated)
    return fail('truncated_line', `line ${truncated.line}`, 'the last line was not finished; it is left out')
  return pass(`${events.length} event(s)`)
}

function checkSequence({ events }: BackspinRun) {
  let last = 0
  for (const [at, { members }] of events.entries()) {
    const seq = members.get('seq')
    if (!(seq instanceof NumberToken) || !seq.isInteger || seq.value <= last) {
      return fail('sequence', `event ${at + 1}`, 'its seq is no integer above the one before')
    }
    last = seq.value
  }
  return pass('seq rises')
}

function checkFingerprints({ events }: BackspinRun) {
  let judged = 0
  for (const [at, { members }] of events.entries()) {
    const stored = members.get('fingerprint')
    if (members.get('kind') !== 'llm' || typeof stored !== 'string') continue
    if (wasRedacted(members)) continue
    if (!hasFingerprint(members, stored)) {
      return fail('fingerprint_mismatch', `event ${at + 1}`, 'its fingerprint is not that of its model and messages')
    }
    judged++
  }
  return pass(`${judged} fingerprint(s) recompute`)
}

function checkSpans({ events }: BackspinRun) {
  const open = new Set<unknown>()
  for (const [at, { members }] of events.entries()) {
    if (members.get('kind') !== 'span') continue
    const [id, phase] = [members.get('span_id'), members.get('phase')]
    if (phase === 'enter') open.add(id)
    else if (!open.delete(id)) return fail('span_not_open', `event ${at + 1}`, 'a span ends that was not open')
  }
  return pass(open.size === 0 ? 'spans are closed' : `${open.size} span(s) open at the end`)
}

function checkSecrets({ header, events }: BackspinRun) {
  for (const [at, { members }] of [header, ...events].entries()) {
    const [found] = findSecrets(toPlain(members))
    if (found) return fail('secret', `event ${at} ${found.where}`, `it holds what looks like a key (${found.kind})`)
  }
  return pass('no credentials')
}
