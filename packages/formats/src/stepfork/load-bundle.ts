import { statSync } from 'node:fs'
import { join } from 'node:path'
import { CassetteCorruptError, CassetteVersionError, ConfigError } from '@retake/trace'
import type { StepforkBundle } from './bundle.ts'
import { readBundleFiles } from './bundle-files.ts'
import type { StepforkIssue } from './issue.ts'
import { BundleFault, parseBundle } from './parse-bundle.ts'

/**
 * Reads a `.sftrace` folder. Neither hashes nor integrity are checked: that is `validateStepfork`.
 * @throws ConfigError where there is no folder
 * @throws CassetteVersionError for a schema version that is not 0.1
 * @throws CassetteCorruptError for everything else that is wrong; `details.issue` is the code of the format
 */
export function loadStepfork(folder: string): StepforkBundle {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigError(`a Stepfork bundle is a folder, and there is none\n  ${folder}`, { path: folder })
  }
  const { bytes, issues } = readBundleFiles(folder)
  const unreadable = issues.find(({ code }) => code !== 'unexpected_file')
  if (unreadable) throw toError(unreadable, folder)
  try {
    return parseBundle(bytes)
  } catch (error) {
    throw error instanceof BundleFault ? toError(error.issue, folder) : error
  }
}

function toError({ code, message, location = '' }: StepforkIssue, folder: string): Error {
  const place = join(folder, location)
  const details = { path: folder, issue: code, location }
  if (code === 'unsupported_schema') {
    return new CassetteVersionError(`the Stepfork bundle has a schema that retake does not read\n  ${place}`, details)
  }
  return new CassetteCorruptError(`the Stepfork bundle is broken: ${code}: ${message}\n  ${place}`, details)
}
