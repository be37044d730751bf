import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installBuild } from '../install-build.ts'
import { median, type Row } from './rounds.ts'

const root = join(import.meta.dirname, '../..')
const limit = 1.05

/** Files without a cassette; each gets a worker of its own, as Vitest does by default. */
const testFiles = 200
const testFile = `import { expect, test } from 'vitest'
test('adds', () => {
  expect(1 + 1).toBe(2)
})
`

const configs = {
  with: "import { retake } from 'retake/vitest'\nexport default { plugins: [retake()] }\n",
  without: 'export default {}\n',
}

/**
 * What the plugin costs a project none of whose tests has a cassette: processor time of all its processes with the
 * plugin, as it is published, against the same run without it.
 * @throws Error where the package is not built
 */
export async function runnerRows(rounds: number): Promise<Row[]> {
  const folder = await createProject()
  try {
    const ratios: number[] = []
    // The first round warms up.
    for (let round = -1; round < rounds; round++) {
      const [first, second] = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
      const times = { [first]: runTests(folder, first), [second]: runTests(folder, second) } as Record<Kind, number>
      if (round >= 0) ratios.push(times.with / times.without)
    }
    return [
      {
        row: `CPU of ${testFiles} test files without cassettes, with / without the plugin`,
        ratio: median(ratios),
        limit,
        rounds,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Kind = keyof typeof configs

/** In the repository, where Vitest and the dependencies of retake are found. */
async function createProject(): Promise<string> {
  await mkdir(join(root, '.tmp'), { recursive: true })
  const folder = await mkdtemp(join(root, '.tmp/bench-'))
  await installBuild(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  for (const [name, text] of Object.entries(configs)) await writeFile(join(folder, `${name}.config.mjs`), text)
  for (let number = 1; number <= testFiles; number++) await writeFile(join(folder, `${number}.test.js`), testFile)
  return folder
}

/** Seconds of processor time, of the run and all its workers. */
function runTests(folder: string, kind: Kind): number {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // The shell knows what its children and theirs took; Node tells only of itself.
  const script = '"$@" >/dev/null || exit 1; times'
  const args = ['-c', script, 'sh', process.execPath, vitest, 'run', '--config', `${kind}.config.mjs`]
  const { CI: _, RETAKE: __, NODE_OPTIONS: ___, ...env } = process.env
  const output = execFileSync('sh', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return readTimes(output)
}

/** Of the two lines of `times` the second is the children's: `0m1.25s 0m0.31s`. */
const readTimes = (output: string): number =>
  [...(output.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
