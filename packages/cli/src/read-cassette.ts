import { resolve } from 'node:path'
import {
  CassetteCorruptError,
  type CassetteFile,
  checkPayloadShape,
  loadCassette,
  type VerifyReport,
  verifyFile,
} from '@retake/trace'
import type { Io } from './io.ts'

/**
 * The cassette in a file named on the command line, with payloads that can be worked with. Its hash chain is not checked.
 * @throws ConfigError where there is no readable file
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError for a file that is no cassette
 */
export const readCassette = (file: string, { cwd }: Io): CassetteFile => {
  const cassette = loadCassette(resolve(cwd, file))
  const shape = checkPayloadShape(cassette.trace)
  if (shape.pass) return cassette
  const { where, detail } = shape
  throw new CassetteCorruptError(`${file}: ${where}: ${detail}`, { path: file, where })
}

/**
 * The report on a file that can be read as a cassette, or is one that was edited.
 * @throws as `readCassette`, for a file that is no cassette at all
 */
export const verifyReadable = (path: string): VerifyReport => {
  const report = verifyFile(path)
  const failed = report.checks.find(({ status }) => status === 'fail')
  if (failed && failed.name !== 'seal') loadCassette(path)
  return report
}
