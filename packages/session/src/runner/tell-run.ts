import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CassetteReport } from './cassette-report.ts'
import type { ObsoleteCassette } from './obsolete-cassettes.ts'

/** What a run came to, for the command that started it. */
export interface ToldRun {
  cassettes: readonly CassetteReport[]
  obsolete: readonly ObsoleteCassette[]
  /** Where tests looked for a cassette that is not there. */
  missing: readonly string[]
}

/** Writes a file into the folder that `RETAKE_RUN` names: `retake prune` and `retake ci` want to know. */
export const tellRun = (run: ToldRun): void => {
  const folder = toldFolder()
  if (folder) writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(run))
}

/** Does a command wait to be told? */
export const isRunAwaited = (): boolean => toldFolder() !== undefined

const toldFolder = (): string | undefined => process.env.RETAKE_RUN || undefined
