import { readFileSync } from 'node:fs'
import { CassetteCorruptError, readText } from '@retake/trace'
import { parseBackspin } from './parse-run.ts'
import type { BackspinRun } from './run-file.ts'

/**
 * Reads a `.backspin.jsonl` file, as `parseBackspin` does.
 * @throws ConfigError where there is no readable file
 */
export const loadBackspin = (path: string): BackspinRun => parseBackspin(readRunText(path), path)

/**
 * The text of a file that may end in the middle of a character, where its writer was stopped: what is before the last line
 * is strict UTF-8 and starts with a header, the rest is as good as it gets.
 */
export function readRunText(path: string): string {
  try {
    return readText(path)
  } catch (error) {
    const tail = error instanceof CassetteCorruptError ? readCutText(path) : undefined
    if (tail === undefined) throw error
    return tail
  }
}

function readCutText(path: string): string | undefined {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf(0x0a) + 1
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end))
    return /^\s*\{[^\n]*"kind"\s*:\s*"header"/.test(text) ? text + bytes.toString('utf8', end) : undefined
  } catch {
    return undefined
  }
}
