import type { VerifyCheck } from '@retake/trace'
import type { FormatReport } from '../run-format.ts'
import { schemaVersion } from './bundle.ts'
import type { StepforkIssue } from './issue.ts'
import { type StepforkValidation, validateStepfork } from './validate-bundle.ts'
import type { ValidateOptions } from './validate-events.ts'

type Part = Exclude<keyof StepforkValidation, 'state'>

const parts: readonly (readonly [part: Part, name: string, passed: string])[] = [
  ['files', 'files', 'the files are those of the format'],
  ['structure', 'structure', 'ids, parents and counts fit'],
  ['hashes', 'payload_hashes', 'every payload has its hash'],
  ['integrity', 'integrity', 'the digests are those of the files'],
]

/** What `verify` says of a `.sftrace` folder: a row for each part that is fine, and one for each thing that is wrong. */
export function verifyStepfork(folder: string, options: ValidateOptions = {}): FormatReport {
  const validation = validateStepfork(folder, options)
  const checks = parts.flatMap(([part, name, passed]): VerifyCheck[] => {
    const issues = validation[part]
    if (!issues) return [{ name, status: 'skip', detail: 'skipped (the files cannot be read)' }]
    return issues.length === 0
      ? [{ name, status: 'pass', detail: passed }]
      : issues.map((issue) => toCheck(name, issue))
  })
  const unread = validation.structure === undefined
  const pass = checks.every(({ status }) => status === 'pass')
  return { format: 'stepfork', version: unread ? null : schemaVersion, pass, state: validation.state, checks }
}

const toCheck = (name: string, { code, message, location, eventId }: StepforkIssue): VerifyCheck => ({
  name,
  status: 'fail',
  code,
  ...(location !== undefined && { where: eventId === undefined ? location : `${location} (${eventId})` }),
  detail: message,
})
