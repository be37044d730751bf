import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFiles, integrityFile } from './bundle.ts'
import type { StepforkIssue } from './issue.ts'

/** The bytes of the files of a bundle, and what is wrong with them as files. */
export interface BundleFiles {
  bytes: ReadonlyMap<string, Buffer>
  issues: StepforkIssue[]
}

const largest = 64 * 2 ** 20

/**
 * Reads the four files of a bundle by their own names and nothing else: no link is followed, no name from inside a file
 * is used. The folder itself must exist.
 */
export function readBundleFiles(folder: string): BundleFiles {
  const bytes = new Map<string, Buffer>()
  const issues: StepforkIssue[] = []
  const known: readonly string[] = [...bundleFiles, integrityFile]
  for (const entry of readdirSync(folder).sort()) {
    if (!known.includes(entry)) {
      const message = 'The bundle holds a file that is no part of the format.'
      issues.push({ code: 'unexpected_file', message, location: entry })
    }
  }
  for (const file of known) {
    const read = readRegularFile(join(folder, file))
    if (Buffer.isBuffer(read)) bytes.set(file, read)
    else if (read === 'missing' && file !== integrityFile) {
      issues.push({ code: 'missing_file', message: `Missing required file: ${file}.`, location: file })
    } else if (read !== 'missing') issues.push({ code: 'unsafe_file', message: `${file} ${read}.`, location: file })
  }
  return { bytes, issues }
}

function readRegularFile(path: string): Buffer | string {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry) return 'missing'
  if (entry.isSymbolicLink()) return 'is a symbolic link, which is not followed'
  if (!entry.isFile()) return 'is no file'
  // A link that takes its place meanwhile is not followed either.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const { size } = fstatSync(file)
    return size > largest ? `is larger than ${largest} bytes` : readFileSync(file)
  } finally {
    closeSync(file)
  }
}
