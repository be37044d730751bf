import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { parseTokens, TokenFault } from '../json/parse-tokens.ts'
import { toPlain } from '../json/plain-json.ts'
import { bundleFiles, integrityFile } from './bundle.ts'
import type { StepforkIssue } from './issue.ts'
import { integritySchema } from './shape.ts'

export interface Integrity {
  state: 'verified' | 'mismatch' | 'unverified_legacy'
  issues: StepforkIssue[]
}

/** Whether the digests of integrity.json are those of the bytes. It is no signature: anyone can make them anew. */
export function checkIntegrity(bytes: ReadonlyMap<string, Buffer>): Integrity {
  const record = bytes.get(integrityFile)
  if (!record) {
    const message = 'Bundle has no integrity.json metadata.'
    return { state: 'unverified_legacy', issues: [{ code: 'integrity_unverified', message, location: integrityFile }] }
  }
  const files = readRecord(record)
  const issues = 'code' in files ? [files] : bundleFiles.flatMap((file) => compareDigest(file, bytes, files.digests))
  return { state: issues.length === 0 ? 'verified' : 'mismatch', issues }
}

function readRecord(bytes: Buffer): { digests: Record<string, string> } | StepforkIssue {
  const record = parseRecord(bytes)
  if (record === undefined) return invalid('integrity.json is no valid record.')
  const { algorithm = 'sha256', files: digests = {} } = record
  if (algorithm !== 'sha256') {
    const message = 'The integrity algorithm is not sha256.'
    return { code: 'integrity_algorithm_unsupported', message, location: integrityFile }
  }
  const strange = Object.keys(digests).find((file) => !bundleFiles.some((known) => known === file))
  return strange === undefined ? { digests } : invalid('integrity.json names a file that is no part of the format.')
}

function parseRecord(bytes: Buffer): v.InferOutput<typeof integritySchema> | undefined {
  try {
    const parsed = v.safeParse(integritySchema, toPlain(parseTokens(bytes.toString('utf8'))))
    return parsed.success ? parsed.output : undefined
  } catch (error) {
    if (error instanceof TokenFault) return undefined
    throw error
  }
}

const invalid = (message: string, location: string = integrityFile): StepforkIssue => ({
  code: 'integrity_metadata_invalid',
  message,
  location,
})

function compareDigest(
  file: string,
  bytes: ReadonlyMap<string, Buffer>,
  digests: Record<string, string>,
): StepforkIssue[] {
  const expected = Object.hasOwn(digests, file) ? digests[file] : undefined
  if (expected === undefined) return [invalid(`There is no digest for ${file}.`, file)]
  if (!/^[0-9a-f]{64}$/.test(expected)) return [invalid(`The digest for ${file} is no SHA-256.`, file)]
  const content = bytes.get(file)
  if (!content) return [{ code: 'missing_file', message: `${file} is missing.`, location: file }]
  if (createHash('sha256').update(content).digest('hex') === expected) return []
  return [{ code: 'integrity_mismatch', message: 'The SHA-256 of the file is not the recorded one.', location: file }]
}
