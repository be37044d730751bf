import { spawn } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installBuild } from '../../scripts/install-build.ts'

const repository = resolve(import.meta.dirname, '../..')
const folder = join(repository, 'test/.tmp/types')
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: ['node'],
}

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  await installBuild(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await cp(join(repository, 'test/types/matchers.ts'), join(folder, 'matchers.ts'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['matchers.ts'] }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a compiler has to say of the built declarations; those of other packages are theirs. */
const compile = async (compiler: string): Promise<string> => {
  const program = join(repository, 'node_modules', compiler, 'bin/tsc')
  const child = spawn(process.execPath, [program, '-p', folder, '--pretty', 'false'], { cwd: folder })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  await new Promise((done) => child.once('close', done))
  return said
    .split('\n')
    .filter((line) => /^(node_modules\/retake\/|matchers\.ts|error)/.test(line))
    .join('\n')
}

// What Vitest 4 makes of them is checked where that is installed, by scripts/fresh-project.ts.
test.each(['typescript59', 'typescript7'])(
  'the built declarations say the same to %s',
  async (compiler) => {
    expect(await compile(compiler)).toBe('')
  },
  120_000,
)

test('a wrong call is an error', async () => {
  await writeFile(
    join(folder, 'matchers.ts'),
    "import { useCassette } from 'retake/vitest'\nuseCassette({ mode: 'reply' })\n",
  )
  expect(await compile('typescript7')).toMatch(/^matchers\.ts\(2,\d+\): error TS2/)
})
