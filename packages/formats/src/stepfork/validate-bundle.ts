import { readBundleFiles } from './bundle-files.ts'
import { checkIntegrity, type Integrity } from './integrity.ts'
import type { StepforkIssue } from './issue.ts'
import { BundleFault, parseBundle } from './parse-bundle.ts'
import { type ValidateOptions, validateEvents, validateHashes } from './validate-events.ts'

/** What each part of the validation found; empty is fine. A part that could not be reached is absent. */
export interface StepforkValidation {
  /** Of the record as a whole; a bundle whose files cannot be read has `mismatch`. */
  state: Integrity['state']
  /** Whether the files can be read as a bundle. */
  files: StepforkIssue[]
  structure?: StepforkIssue[]
  hashes?: StepforkIssue[]
  integrity?: StepforkIssue[]
}

/**
 * Validates a `.sftrace` folder as the format says, hashes and integrity included. Nothing is written.
 * @param folder path of a folder that exists
 */
export function validateStepfork(folder: string, options: ValidateOptions = {}): StepforkValidation {
  const { bytes, issues: files } = readBundleFiles(folder)
  const { state, issues: integrity } = checkIntegrity(bytes)
  if (files.some(({ code }) => code !== 'unexpected_file')) return { state, files, integrity }
  try {
    const bundle = parseBundle(bytes)
    return { state, files, structure: validateEvents(bundle, options), hashes: validateHashes(bundle), integrity }
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error
    return { state, files: [...files, error.issue], integrity }
  }
}
