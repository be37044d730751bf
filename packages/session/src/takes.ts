import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseTakePath } from '@retake/trace'

/** The takes that wait beside a cassette. */
export const findTakes = (path: string): string[] =>
  existsSync(dirname(path))
    ? readdirSync(dirname(path))
        .map((name) => join(dirname(path), name))
        .filter((beside) => parseTakePath(beside)?.cassette === path)
    : []

export const removeTakes = (takes: readonly string[]): void => {
  for (const take of takes) rmSync(take, { force: true })
}
