import { globSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chatJson } from '../../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { expectText, runAsStranger } from '../pack-check/run-as-stranger.ts'
import { findOldNode } from './old-node.ts'

/** How a stranger starts. */
export interface FreshStart {
  name: string
  /** Files before the first install. */
  files: Record<string, string>
  /** The packages are added by the script. */
  install: string
  runner: 'vitest' | 'jest'
  version: string
  /** In front of a command of the project, and of the arguments of its test script. */
  exec: string
  test: string
}

const npm = {
  files: {},
  install: 'npm install -D --prefer-offline --no-audit --no-fund',
  exec: 'npx',
  test: 'npm test --',
}

const pnpm = (version: number, workspace: string) => {
  const program = `npx --yes pnpm@${version}`
  return {
    files: { 'package.json': '{ "private": true }\n', 'pnpm-workspace.yaml': workspace },
    install: `${program} add -D --prefer-offline`,
    exec: `${program} exec`,
    test: `${program} test`,
  }
}

/** A pnpm of version 12 takes the package \`node\` for a runtime of its own, unless it is named as one of npm. */
export const freshStarts: FreshStart[] = [
  { name: 'npm-vitest-5', ...npm, runner: 'vitest', version: '5' },
  { name: 'npm-vitest-4', ...npm, runner: 'vitest', version: '4.1' },
  { name: 'pnpm-10', ...pnpm(10, 'onlyBuiltDependencies:\n  - node\n'), runner: 'vitest', version: '5' },
  { name: 'pnpm-12', ...pnpm(12, 'allowBuilds:\n  node: true\n'), runner: 'vitest', version: '5' },
  { name: 'npm-jest-30', ...npm, runner: 'jest', version: '30' },
  { name: 'npm-jest-29', ...npm, runner: 'jest', version: '29' },
  {
    name: 'pnpm-10-jest-30',
    ...pnpm(10, 'onlyBuiltDependencies:\n  - node\n'),
    runner: 'jest',
    version: '30',
  },
]

const nodeOf = ({ name }: FreshStart): string => (name === 'pnpm-12' ? 'node@npm:node@24' : 'node@24')

/**
 * Installs a packed retake into an empty folder, sets it up, records, replays, and records again with the flag; then asks
 * for nothing new, and tells a Node that is too old so.
 * @throws Error where something is not as the README says
 */
export const checkFreshProject = async (start: FreshStart, tarball: string): Promise<void> => {
  console.log(`== ${start.name}`)
  const folder = await mkdtemp(join(tmpdir(), 'retake-fresh-'))
  const provider = await startFakeProvider({ replies: () => chatJson({ content: 'Hello Ada!' }) })
  const sent = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-of-the-fresh-project' }
  const run = (command: string, env: Record<string, string> = sent, code = 0) =>
    runAsStranger(folder, command, { env, code, node: null })
  const { exec, test, install, runner, version } = start
  const command = runner === 'vitest' ? 'vitest run' : 'jest'
  /** The command makes one more call. */
  const recordAgain = async (command: string) => {
    const before = provider.requests.length
    expectText(await run(command), '1 unchanged')
    if (provider.requests.length !== before + 1)
      throw new Error(`${command}: ${provider.requests.length - before} calls`)
  }
  try {
    for (const [name, text] of Object.entries(start.files)) await writeFile(join(folder, name), text)
    await run(`${install} ${nodeOf(start)} ${runner}@${version} ${tarball}`)
    await run(`${exec} retake init --yes`)
    expectText(await run(`${exec} ${command}`), '1 recorded')
    const calls = provider.requests.length
    expectText(await run(`${exec} ${command}`, { CI: 'true' }), '1 replayed')
    if (provider.requests.length !== calls) throw new Error('the replay made a call')
    await recordAgain(`${exec} ${command} --update-cassettes`)
    await recordAgain(`${exec} ${command} --update-cassettes greeting`)
    await recordAgain(`${test} --update-cassettes`)
    await recordAgain(`${exec} retake ${command} --update-cassettes greeting`)
    await checkFailures(folder, `${exec} ${command}`, run)
    const files = await readAll(folder)
    expectText(await run(`${exec} retake init --yes`), 'Everything is there already.')
    if (JSON.stringify(await readAll(folder)) !== JSON.stringify(files))
      throw new Error('the second init changed files')
    await checkOldNode(folder, start)
    if (start.name === 'npm-vitest-4') await checkTypes(folder)
    if (start.name === 'npm-jest-30' || start.name === 'npm-jest-29') await checkJestTypes(folder, version)
  } finally {
    await provider.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Run = (command: string, env?: Record<string, string>, code?: number) => Promise<string>

/** Another prompt fails, and so does a missing cassette under CI; nothing is written, and afterwards all is as before. */
const checkFailures = async (folder: string, command: string, run: Run): Promise<void> => {
  const file = globSync('greeting.test.*', { cwd: folder })[0] ?? ''
  const text = await readFile(join(folder, file), 'utf8')
  await writeFile(join(folder, file), text.replace('in one sentence', 'in two sentences'))
  const mismatch = await run(command, { CI: 'true' }, 1)
  expectText(mismatch, 'CassetteMismatchError: request 1 of 1 differs from the cassette in its system prompt')
  expectText(mismatch, '- Greet the user by name, in one sentence.')
  await writeFile(join(folder, file), text.replace("test('greets by name'", "test('greets by another name'"))
  const missing = await run(command, { CI: 'true' }, 1)
  expectText(missing, 'no cassette for "greets by another name", and recording is off because this is CI')
  await writeFile(join(folder, file), text)
  expectText(await run(command, { CI: 'true' }), '1 replayed')
}

/**
 * The global matchers add to an interface that Vitest 4 and 5 give other type parameters; those of 5 are checked with the
 * package. Declarations of packages are not checked: there the difference shows.
 */
const checkTypes = async (folder: string): Promise<void> => {
  await cp(join(import.meta.dirname, '../../test/types/matchers.ts'), join(folder, 'matchers.ts'))
  await runAsStranger(folder, `${npm.install} ts5@npm:typescript@5.9 ts7@npm:typescript@7`)
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2023 matchers.ts'
  for (const compiler of ['ts5', 'ts7']) {
    await runAsStranger(folder, `node node_modules/${compiler}/bin/tsc ${options}`)
  }
}

/** The types of `expect` come from one of two packages; with the older way to find modules those of retake do too. */
const checkJestTypes = async (folder: string, version: string): Promise<void> => {
  const text = await readFile(join(import.meta.dirname, '../../test/types/jest-globals.ts'), 'utf8')
  await writeFile(join(folder, 'imported.ts'), text)
  await writeFile(join(folder, 'ambient.ts'), text.replace(/^import .* from '@jest\/globals'\n/, ''))
  const types = `@jest/globals@${version} @types/jest@${version}`
  await runAsStranger(folder, `${npm.install} ${types} @types/node ts5@npm:typescript@5.9 ts7@npm:typescript@7`)
  const options = '--noEmit --strict --skipLibCheck --target es2023'
  for (const [file, from] of [
    ['imported.ts', 'node'],
    ['ambient.ts', 'node,jest'],
  ]) {
    const ts5 = `node node_modules/ts5/bin/tsc ${options} --types ${from} ${file}`
    await runAsStranger(folder, `${ts5} --module nodenext`)
    await runAsStranger(folder, `${ts5} --module commonjs --esModuleInterop`)
    await runAsStranger(folder, `node node_modules/ts7/bin/tsc ${options} --types ${from} ${file} --module nodenext`)
  }
}

const readAll = async (folder: string): Promise<string[][]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return await Promise.all(names.sort().map(async (name) => [name, await readFile(join(folder, name), 'utf8')]))
}

/** Vitest starts on a Node that is too old for it, and for retake: there the plugin speaks. */
const checkOldNode = async (folder: string, { runner }: FreshStart): Promise<void> => {
  const node = findOldNode()
  if (node === undefined) return console.log('--  no Node below the floor on this machine')
  const sentence = 'retake needs Node 22.12 or newer; this is v'
  const output = await runAsStranger(folder, `${node} node_modules/retake/bin/retake.mjs verify`, { code: 2 })
  if (!output.startsWith(sentence) || output.trim().includes('\n')) throw new Error(`more than a sentence:\n${output}`)
  const program = runner === 'vitest' ? 'vitest/vitest.mjs run' : 'jest/bin/jest.js'
  expectText(await runAsStranger(folder, `${node} node_modules/${program}`, { code: 1 }), sentence)
}
