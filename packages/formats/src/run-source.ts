import { statSync } from 'node:fs'
import { readRunText } from './backspin/load-run.ts'

/** A file with its text, or a folder. Nothing is ever written to it. */
export type RunSource = { kind: 'file'; path: string; text: string } | { kind: 'folder'; path: string }

/**
 * Opens what a path names.
 * @throws ConfigError where there is no readable file; CassetteCorruptError where it is too large or no UTF-8
 */
export const openSource = (path: string): RunSource =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? { kind: 'folder', path }
    : { kind: 'file', path, text: readRunText(path) }
