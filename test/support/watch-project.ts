import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
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
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...bareEnvironment(), NO_COLOR: '1', ...env } })
  const runs = followRuns(/Waiting for file changes|Tests failed\. Watching/)
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', runs.add)
  return {
    ...runs,
    press: (key) => void child.stdin.write(key),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

/** Starts Jest 30 in watch mode, `--watch` or `--watchAll`, in a project, in a terminal of its own. */
export const startJestWatch = (
  { folder }: Pick<Project, 'folder'>,
  args: string[],
  env: Record<string, string>,
): Watch => {
  const program = resolve(import.meta.dirname, '../../node_modules/jest/bin/jest.js')
  const terminal = spawnInTerminal(process.execPath, [program, ...args], {
    cwd: folder,
    cols: 140,
    rows: 50,
    env: { ...bareEnvironment(), TERM: 'xterm-256color', ...env },
  })
  const runs = followRuns(/Watch Usage/)
  terminal.onData((text) => runs.add(text.replaceAll('\r\n', '\n')))
  const ended = new Promise<void>((done) => terminal.onExit(() => done()))
  return {
    ...runs,
    press: (key) => terminal.write(key),
    async [Symbol.asyncDispose]() {
      terminal.kill('SIGKILL')
      await ended
    },
  }
}

const bareEnvironment = () => {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME }
}

/** What a runner prints, run by run. */
const followRuns = (runEnd: RegExp) => {
  let output = ''
  let seen = 0
  const changed = new EventTarget()
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
    add(text: string) {
      output += stripVTControlCharacters(text)
      changed.dispatchEvent(new Event('output'))
    },
    async nextRun() {
      const text = await wait(40_000)
      if (text === undefined) throw new Error(`no run ended:\n${output.slice(seen)}`)
      return text
    },
    runsAgain: async (milliseconds = 2_500) => (await wait(milliseconds)) !== undefined,
  }
}

const stop = async (child: ChildProcessWithoutNullStreams): Promise<void> => {
  if (child.exitCode !== null) return
  const closed = new Promise((done) => child.once('close', done))
  child.kill('SIGKILL')
  await closed
}
