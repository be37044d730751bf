import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chatJson } from '../../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { installBuild } from '../install-build.ts'
import { median, type Row } from './rounds.ts'

const root = join(import.meta.dirname, '../..')

/** Two forms of a project, each with a config `<kind>.config.mjs`; each test file gets a worker of its own. */
interface Comparison {
  row: string
  limit: number
  /** By path below the folder of the project. */
  files: Record<string, string>
  /** What is measured, and what it is measured by. */
  kinds: [string, string]
  /** The runner, up to the name of the config. [Vitest] */
  command?: string[]
  /** Called once in the folder. */
  prepare?(folder: string): Promise<void>
}

const plugin = (options: string): string =>
  `import { retake } from 'retake/vitest'\nexport default { plugins: [retake()], ${options} }\n`

const repeat = (count: number, name: (number: number) => string, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [name(number), text]))

const adds = `test('adds', () => {
  expect(1 + 1).toBe(2)
})
`

const withoutCassettes: Comparison = {
  row: 'CPU of 200 test files without cassettes, with / without the plugin',
  limit: 1.05,
  kinds: ['with', 'without'],
  files: {
    'with.config.mjs': plugin(''),
    'without.config.mjs': 'export default {}\n',
    ...repeat(
      200,
      (number) => `${number}.test.js`,
      `import { expect, test } from 'vitest'
${adds}`,
    ),
  },
}

const ask = `const ask = async () => {
  const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] })
  const url = (process.env.MODEL_URL ?? 'http://127.0.0.1:9') + '/v1/chat/completions'
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await reply.json()).choices[0].message.content
}
`
const answer = 'Hello to you'
const reply = chatJson({ content: answer })

const withCassettes: Comparison = {
  row: 'CPU of 20 test files that replay a cassette / that stub fetch, without the plugin',
  limit: 1.5,
  kinds: ['replayed', 'stubbed'],
  files: {
    'replayed.config.mjs': plugin("test: { include: ['replayed/*'] }"),
    'stubbed.config.mjs': "export default { test: { include: ['stubbed/*'] } }\n",
    ...repeat(
      20,
      (number) => `replayed/${number}.test.js`,
      `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
${ask}test('greets', async () => {
  useCassette()
  expect(await ask()).toBe('${answer}')
})
`,
    ),
    ...repeat(
      20,
      (number) => `stubbed/${number}.test.js`,
      `import { expect, test, vi } from 'vitest'
${ask}test('greets', async () => {
  vi.stubGlobal('fetch', async () => new Response(${JSON.stringify(reply.body)}))
  expect(await ask()).toBe('${answer}')
})
`,
    ),
  },
  async prepare(folder) {
    await using provider = await startFakeProvider({ replies: () => reply })
    await runTests(folder, 'replayed', { env: { MODEL_URL: provider.url } })
  },
}

const jestWithoutCassettes: Comparison = {
  row: 'CPU of 60 test files of Jest without cassettes, with / without environment and reporter',
  limit: 1.1,
  kinds: ['with', 'without'],
  command: [join(root, 'node_modules/jest/bin/jest.js'), '--maxWorkers=2', '--config'],
  files: {
    'package.json': '{ "private": true }\n',
    'with.config.mjs':
      "export default { transform: {}, testEnvironment: 'retake/jest/node', reporters: ['default', 'retake/jest/reporter'] }\n",
    'without.config.mjs': 'export default { transform: {} }\n',
    ...repeat(60, (number) => `${number}.test.js`, adds),
  },
}

/**
 * What the plugin costs a project: processor time of all processes of a run, with the package as it is published,
 * against the same run without it.
 * @throws Error where the package is not built
 */
export async function runnerRows(rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const comparison of [withoutCassettes, withCassettes, jestWithoutCassettes]) {
    rows.push(await measure(comparison, rounds))
  }
  return rows
}

async function measure({ row, limit, files, kinds, command, prepare }: Comparison, rounds: number): Promise<Row> {
  const folder = await createProject(files)
  try {
    await prepare?.(folder)
    const ratios: number[] = []
    // The first round warms up.
    for (let round = -1; round < rounds; round++) {
      const times = new Map<string, number>()
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
        times.set(kind, await runTests(folder, kind, { command }))
      const [side, base] = kinds.map((kind) => times.get(kind)) as [number, number]
      if (round >= 0) ratios.push(side / base)
    }
    return { row, ratio: median(ratios), limit, rounds }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** In the repository, where the runners and the dependencies of retake are found. */
async function createProject(files: Record<string, string>): Promise<string> {
  await mkdir(join(root, '.tmp'), { recursive: true })
  const folder = await mkdtemp(join(root, '.tmp/bench-'))
  await installBuild(folder)
  for (const [path, text] of Object.entries({ 'package.json': '{ "private": true, "type": "module" }\n', ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const run = promisify(execFile)
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config']

interface RunOptions {
  command?: string[] | undefined
  env?: Record<string, string>
}

/** Seconds of processor time, of the run and all its workers. */
async function runTests(
  folder: string,
  kind: string,
  { command = vitest, env: more = {} }: RunOptions,
): Promise<number> {
  // The shell knows what its children and theirs took; Node tells only of itself.
  const script = '"$@" >/dev/null 2>&1 || exit 1; times'
  const args = ['-c', script, 'sh', process.execPath, ...command, `${kind}.config.mjs`]
  const { CI: _, RETAKE: __, NODE_OPTIONS: ___, ...env } = process.env
  const { stdout } = await run('sh', args, { cwd: folder, env: { ...env, OPENAI_API_KEY: 'sk-of-the-bench', ...more } })
  return readTimes(stdout)
}

/** Of the two lines of `times` the second is the children's: `0m1.25s 0m0.31s`. */
const readTimes = (output: string): number =>
  [...(output.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
