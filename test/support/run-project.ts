import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { normalizeOutput } from './normalize-output.ts'
import { projectsFolder, vitestProgram } from './vitest-under-test.ts'

const repository = resolve(import.meta.dirname, '../..')

export interface RunOptions {
  /** `vitest`, `jest29`, `jest30` and `retake` are those of this repository, `node` is this Node. [vitest run] */
  command?: string[]
  /** Added to a bare environment: no keys, no CI, no NODE_OPTIONS, nothing of npm or of an outer Vitest. */
  env?: Record<string, string>
  /** Keeps the colours of a terminal in the output. [false] */
  colors?: boolean
  /** Milliseconds after which the run is killed. [50 000] */
  timeout?: number
  /** Kills the run and all its workers at once, as `kill -9` does. */
  signal?: AbortSignal
}

export interface ProjectRun {
  /** null if the run was killed. */
  exitCode: number | null
  /** Without colours; paths, times and ports are placeholders. */
  stdout: string
  stderr: string
  /** Every file of the project after the run, by its path with slashes. */
  files: Record<string, string>
}

export interface Project extends AsyncDisposable {
  /** Absolute path. */
  readonly folder: string
  run(options?: RunOptions): Promise<ProjectRun>
  write(files: Record<string, string>): Promise<void>
  files(): Promise<Record<string, string>>
  remove(): Promise<void>
}

const defaultFiles: Record<string, string> = {
  // A package of its own: Vite keeps its cache here instead of in the repository.
  'package.json': '{ "name": "project-under-test", "private": true, "type": "module" }\n',
  'vitest.config.ts': `import { retake } from 'retake/vitest'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [retake()] })
`,
}

const programs: Record<string, string[]> = {
  node: [process.execPath],
  vitest: [process.execPath, vitestProgram],
  jest29: [process.execPath, join(repository, 'runners/jest29/node_modules/jest/bin/jest.js')],
  jest30: [process.execPath, join(repository, 'node_modules/jest/bin/jest.js')],
  retake: [process.execPath, join(repository, 'packages/retake/bin/retake.mjs')],
}

const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG']

const bareEnvironment = (): Record<string, string> =>
  Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

const readFiles = async (folder: string): Promise<Record<string, string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path.split(sep)[0] !== 'node_modules')
    .sort()
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path.replaceAll(sep, '/'), await readFile(join(folder, path), 'utf8')]),
    ),
  )
}

const runIn = async (folder: string, options: RunOptions): Promise<ProjectRun> => {
  const [name = '', ...rest] = options.command ?? ['vitest', 'run']
  const [program = '', ...args] = [...(programs[name] ?? [name]), ...rest]
  // A group of its own, so that killing it takes the runner's workers along.
  const detached = process.platform !== 'win32'
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...bareEnvironment(), ...(options.colors ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  const kill = () => {
    try {
      process.kill(detached && child.pid !== undefined ? -child.pid : (child.pid ?? 0), 'SIGKILL')
    } catch {
      // already gone
    }
  }
  const timer = setTimeout(kill, options.timeout ?? 50_000)
  options.signal?.addEventListener('abort', kill, { once: true })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  try {
    const exitCode = await new Promise<number | null>((done, fail) => {
      child.once('error', fail)
      child.once('close', done)
    })
    const places = { '<project>': folder, '<repository>': repository }
    return {
      exitCode,
      stdout: normalizeOutput(stdout, places, options.colors),
      stderr: normalizeOutput(stderr, places, options.colors),
      files: await readFiles(folder),
    }
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', kill)
  }
}

/** Writes a project for Vitest into a folder of the repository, where `retake` and the SDKs resolve, to run it often. */
export const createProject = async (files: Record<string, string>): Promise<Project> =>
  await createProjectIn(projectsFolder, { ...defaultFiles, ...files })

/** Writes a project of these files into a folder of its own below `parent`. */
export const createProjectIn = async (parent: string, files: Record<string, string>): Promise<Project> => {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'project-'))
  const write = async (added: Record<string, string>) => {
    for (const [path, text] of Object.entries(added)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
  }
  const remove = async () => {
    if (existsSync(folder)) await rm(folder, { recursive: true, maxRetries: 3 })
  }
  await write(files)
  return {
    folder,
    run: (options = {}) => runIn(folder, options),
    write,
    files: () => readFiles(folder),
    remove,
    [Symbol.asyncDispose]: remove,
  }
}

/** Writes a project, runs the real `vitest run` (or another command) in it once, and removes it. */
export const runProject = async ({
  files,
  ...options
}: RunOptions & { files: Record<string, string> }): Promise<ProjectRun> => {
  await using project = await createProject(files)
  return await project.run(options)
}
