/**
 * Packs `retake` as `npm publish` would and uses the tarball as a stranger would: in an empty project outside this
 * repository, from JavaScript, TypeScript, a Vitest test that records and replays, and the command line.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { findWaysOut } from '../test/support/boundaries.ts'
import { walkImports } from '../test/support/import-graph.ts'
import { parseModule } from '../test/support/parse-module.ts'
import { checkFreshProject, freshStarts } from './fresh-project/check-fresh-project.ts'
import { expectText, replayAsStranger, runAsStranger } from './pack-check/run-as-stranger.ts'

const root = join(import.meta.dirname, '..')

const { vitest, vite, openai } = manifest.devDependencies
const project = {
  name: 'stranger',
  private: true,
  type: 'module',
  devDependencies: {
    vitest,
    vite,
    openai,
    '@types/node': manifest.devDependencies['@types/node'],
    ts5: 'npm:typescript@~5.9.0',
    ts6: 'npm:typescript@~6.0.0',
    ts7: 'npm:typescript@^7.0.0',
  },
  overrides: { vite },
}

const compilerOptions = { target: 'ES2023', strict: true, noEmit: true, skipLibCheck: false, types: ['node'] }

/** The bundler decides what the chunks share: the built analysis entries must not reach the network either. */
const checkOffline = (directory: string): void => {
  const ways = ['trace', 'compare', 'cli'].flatMap((name) =>
    findWaysOut(name, join(directory, `node_modules/retake/dist/${name}.mjs`), directory),
  )
  if (ways.length > 0) throw new Error(ways.join('\n'))
}

/** Every test file pays for the setup file: it is one file, and what it loads late is there. */
const checkSetupFile = (dist: string): void => {
  const { imports, atOnce } = parseModule(readFileSync(join(dist, 'vitest-setup.mts'), 'utf8'), 'vitest-setup.mts')
  const tooMuch = atOnce.filter((specifier) => specifier !== 'vitest' && !specifier.startsWith('node:'))
  const missing = imports.filter((specifier) => specifier.startsWith('.') && !existsSync(join(dist, specifier)))
  if (tooMuch.length + missing.length > 0) throw new Error(`the setup file loads ${[...tooMuch, ...missing]}`)
}

/** A page gets an error of ours, not one about modules that only Node has. */
const checkBrowserFile = (dist: string): void => {
  const isPackage = (specifier: string) => !specifier.startsWith('.')
  const { reached } = walkImports(join(dist, 'vitest-browser.mjs'), isPackage, 'atOnce')
  const tooMuch = reached.filter(({ target }) => !target.startsWith(dist)).map(({ target }) => target)
  if (tooMuch.length > 0) throw new Error(`what browsers get loads ${tooMuch}`)
}

interface TypeCheck {
  name: string
  options: object
  files: string[]
  compilers: string[]
}

const typeChecks: TypeCheck[] = [
  {
    name: 'nodenext',
    options: { module: 'nodenext' },
    files: ['typescript.ts', 'agent.test.ts', 'vitest.config.ts'],
    compilers: ['ts5', 'ts7'],
  },
  {
    name: 'bundler',
    options: { module: 'esnext', moduleResolution: 'bundler' },
    files: ['typescript.ts'],
    compilers: ['ts6'],
  },
  { name: 'matchers', options: { module: 'nodenext' }, files: ['matchers.ts'], compilers: ['ts5', 'ts7'] },
]

const checkTypes = async (directory: string): Promise<void> => {
  for (const { name, options, files, compilers } of typeChecks) {
    const config = { compilerOptions: { ...compilerOptions, ...options }, files }
    await writeFile(join(directory, `tsconfig.${name}.json`), JSON.stringify(config))
    for (const compiler of compilers) {
      await runAsStranger(directory, `node node_modules/${compiler}/bin/tsc -p tsconfig.${name}.json`)
    }
  }
}

const directory = await mkdtemp(join(tmpdir(), 'retake-pack-'))
try {
  await runAsStranger(root, `npm pack -w retake --pack-destination ${directory}`)
  const [tarball = ''] = globSync('*.tgz', { cwd: directory })
  await runAsStranger(root, `npx publint run ${join(directory, tarball)} --strict`)
  // All of them from modules; what the code of Jest tests imports from CommonJS too.
  await runAsStranger(root, `npx attw ${join(directory, tarball)} --profile esm-only`)
  await runAsStranger(root, `npx attw ${join(directory, tarball)} --profile node16 --entrypoints ./jest ./matchers`)

  await writeFile(join(directory, 'package.json'), JSON.stringify(project, null, 2))
  await cp(join(root, 'test/stranger'), directory, { recursive: true })
  await cp(join(root, 'test/types'), directory, { recursive: true })
  await runAsStranger(directory, `npm install --prefer-offline --no-audit --no-fund ./${tarball}`)
  checkOffline(directory)
  checkSetupFile(join(directory, 'node_modules/retake/dist'))
  checkBrowserFile(join(directory, 'node_modules/retake/dist'))
  await runAsStranger(directory, 'node javascript.mjs')
  await checkTypes(directory)
  await replayAsStranger(directory)
  expectText(await runAsStranger(directory, 'npx retake --help'), 'verify')
  const cassette = '__cassettes__/agent.test.ts/looks-an-order-up.cassette.json'
  await runAsStranger(directory, `npx retake verify ${cassette}`)
  await runAsStranger(directory, `npx retake convert ${cassette} --to v2 --out v2.json`)
  await runAsStranger(directory, `npx retake diff ${cassette} v2.json`)
  await runAsStranger(directory, 'npx retake assert v2.json --expect-status success --expect-tools lookupOrder')
  // One of them: `npm run check:fresh` starts in every way.
  for (const start of freshStarts.slice(0, 1)) await checkFreshProject(start, join(directory, tarball))
} finally {
  await rm(directory, { recursive: true, force: true })
}
