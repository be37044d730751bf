import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Cells } from './play-all.ts'

const script = fileURLToPath(new URL('./play.ts', import.meta.url))

/** Plays all cells of one library in a process of its own. */
export async function playNeighbour(neighbour: string, recorded: string): Promise<Cells> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, neighbour], {
    env: { ...process.env, RECORDED: recorded, NODE_OPTIONS: '', VITEST: '' },
  })
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}
