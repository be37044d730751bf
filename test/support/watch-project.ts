import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Project } from './run-project.ts'
import { vitestProgram } from './vitest-under-test.ts'

export interface Watch extends AsyncDisposable {
  /** Waits for the next run to end. @returns what was printed since the last one; throws if none ends in time */
  nextRun(): Promise<string>
  /** True if another run ends within some seconds. */
  runsAgain(milliseconds?: number): Promise<boolean>
  press(key: string): void
}

// Keys are only read from terminals; a pipe that calls itself one is enough of it.
const terminal = `Object.defineProperty(process.stdin, 'isTTY', { value: true })
process.stdin.setRawMode = () => process.stdin
`

/** Starts Vitest in watch mode in a project. */
export const startWatch = async ({ folder }: Pick<Project, 'folder'>, env: Record<string, string>): Promise<Watch> => {
  await writeFile(join(folder, 'terminal.mjs'), terminal)
  const args = ['--import', './terminal.mjs', vitestProgram, 'watch']
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME, NO_COLOR: '1', ...env } })
  let output = ''
  let seen = 0
  const changed = new EventTarget()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += stripVTControlCharacters(text)
      changed.dispatchEvent(new Event('output'))
    })
  const wait = async (milliseconds: number): Promise<string | undefined> => {
    const end = AbortSignal.timeout(milliseconds)
    for (;;) {
      const found = runEnd.exec(output.slice(seen))
      if (found) {
        const from = seen
        seen += found.index + found[0].length
        return output.slice(from, seen)
      }
      if (end.aborted) return undefined
      await new Promise<void>((done) => {
        changed.addEventListener('output', () => done(), { once: true })
        end.addEventListener('abort', () => done(), { once: true })
      })
    }
  }
  return {
    async nextRun() {
      const text = await wait(40_000)
      if (text === undefined) throw new Error(`no run ended:\n${output.slice(seen)}`)
      return text
    },
    runsAgain: async (milliseconds = 2_500) => (await wait(milliseconds)) !== undefined,
    press: (key) => void child.stdin.write(key),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

const runEnd = /Waiting for file changes|Tests failed\. Watching/

const stop = async (child: ChildProcessWithoutNullStreams): Promise<void> => {
  if (child.exitCode !== null) return
  const closed = new Promise((done) => child.once('close', done))
  child.kill('SIGKILL')
  await closed
}
