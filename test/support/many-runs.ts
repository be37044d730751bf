import type { Project } from './run-project.ts'

/** One `vitest run`, or `jest`, of several in one process, which is much faster than a process each. */
export interface ManyRun {
  /** Arguments behind the command. */
  args?: string[]
  /** Of this run only. */
  env?: Record<string, string>
  /** Files to remove before it. */
  remove?: string[]
}

export interface ManyRunResult {
  exitCode: number
  stdout: string
  stderr: string
  /** Paths of the cassettes after it, below the folder of cassettes and without their extension. */
  cassettes: string[]
}

const runners = {
  vitest: `import { parseCLI, startVitest } from 'vitest/node'
const run = async (args) => {
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest('test', filter, options)
  await vitest.close()
  return process.exitCode ?? 0
}
`,
  // From 30 on. With `--bail` it ends the process.
  jest: `import { buildArgv, runCLI } from 'jest'
const [node, script] = process.argv
const run = async (args) => {
  process.argv = [node, script, ...args]
  const { results } = await runCLI(await buildArgv(['--runInBand', ...args]), [process.cwd()])
  return results.success ? 0 : 1
}
`,
}

const script = `import { globSync, rmSync } from 'node:fs'
for (const { args = [], env = {}, remove = [] } of JSON.parse(process.argv[2])) {
  for (const file of remove) rmSync(file, { force: true })
  Object.assign(process.env, env)
  const exitCode = await run(args)
  for (const name of Object.keys(env)) delete process.env[name]
  const cassettes = globSync('__cassettes__/**/*.cassette.json').sort()
  console.log('<end>' + JSON.stringify({ exitCode, cassettes }))
  console.error('<end>')
  process.exitCode = 0
}
`

/** Runs Vitest, or Jest, in a project, once for each entry. What is read from the environment at import is the same for all. */
export const runMany = async (
  project: Pick<Project, 'run' | 'write'>,
  runs: readonly ManyRun[],
  env: Record<string, string> = {},
  runner: keyof typeof runners = 'vitest',
): Promise<ManyRunResult[]> => {
  await project.write({ 'runs.mjs': runners[runner] + script })
  const { stdout, stderr } = await project.run({
    command: ['node', 'runs.mjs', JSON.stringify(runs)],
    env,
    timeout: 110_000,
  })
  const errors = stderr.split('<end>\n')
  const results = [...stdout.matchAll(/([\s\S]*?)<end>(.*)\n/g)].map(([, text = '', end = ''], n) => {
    const { exitCode, cassettes } = JSON.parse(end) as { exitCode: number; cassettes: string[] }
    const names = cassettes.map((path) => path.replace(/^__cassettes__\/|\.cassette\.json$/g, '')).sort()
    return { exitCode, cassettes: names, stdout: text, stderr: errors[n] ?? '' }
  })
  if (results.length !== runs.length)
    throw new Error(`${results.length} of ${runs.length} runs ended\n${stdout}${stderr}`)
  return results
}
