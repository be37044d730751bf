import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonValue } from '@retake/trace'

/** What a test runner told of its run: `tellRun` of the session writes it, where RETAKE_RUN names a folder. */
export interface ToldRun {
  cassettes: { path: string; kind: string; unused: number }[]
  obsolete: { path: string; reason: string }[]
  /** Where tests looked for a cassette that is not there. */
  missing: string[]
}

/** The runs that were told in a folder. One that was broken off tells nothing. */
export const readRuns = (folder: string): ToldRun[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const run: JsonValue = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      return isJsonObject(run) ? [run as unknown as ToldRun] : []
    })
