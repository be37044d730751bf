/**
 * Packs `retake` as `npm publish` would and uses the tarball as a stranger would: in an empty project outside this
 * repository, from JavaScript, TypeScript, a Vitest test that records and replays, and the command line.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { findWaysOut } from '../test/support/boundaries.ts'
import { chatCall, chatReply } from '../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../test/support/fake-provider/fake-provider.ts'
import { parseModule } from '../test/support/parse-module.ts'

const root = join(import.meta.dirname, '..')

/** A user's environment: nothing of the npm that started this script, no CI, and every `node` is this one. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(CI|NODE_OPTIONS|RETAKE.*|OPENAI_.*|npm_(?!config_).*|npm_config_(local_prefix|node_options))$/i.test(name),
  ),
)
Object.assign(environment, { NO_COLOR: '1', PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` })

/** @throws Error with all the output when the command fails */
const run = async (cwd: string, command: string, env: Record<string, string> = {}): Promise<string> => {
  const started = performance.now()
  const child = spawn(command, { cwd, shell: true, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${command}: exit ${code}\n${output}`)
  console.log(`ok  ${command}  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return output
}

/** @throws Error unless `output` has the text */
const expectText = (output: string, text: string): void => {
  if (!output.includes(text)) throw new Error(`expected ${JSON.stringify(text)} in:\n${output}`)
}

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

const checkTypes = async (directory: string): Promise<void> => {
  for (const [name, module, ...files] of [
    ['nodenext', 'nodenext', 'typescript.ts', 'agent.test.ts', 'vitest.config.ts'],
    ['bundler', 'esnext', 'typescript.ts'],
  ]) {
    const config = { compilerOptions: { ...compilerOptions, module, moduleResolution: name }, files }
    await writeFile(join(directory, `tsconfig.${name}.json`), JSON.stringify(config))
    for (const compiler of ['ts5', 'ts6']) {
      await run(directory, `node node_modules/${compiler}/bin/tsc -p tsconfig.${name}.json`)
    }
  }
}

const checkReplay = async (directory: string): Promise<void> => {
  const provider = await startFakeProvider({
    replies: [
      chatReply({ tool_calls: [chatCall('call_1', 'lookupOrder', { orderId: 'A-77' })] }),
      chatReply({ content: 'It is late.' }),
    ],
  })
  const env = { PROVIDER_URL: `${provider.url}/v1` }
  await run(directory, 'npx vitest run', { ...env, RETAKE: 'update', OPENAI_API_KEY: 'sk-loopback' })
  await provider.stop()
  await run(directory, 'npx vitest run', { ...env, CI: 'true' })
}

const directory = await mkdtemp(join(tmpdir(), 'retake-pack-'))
try {
  await run(root, `npm pack -w retake --pack-destination ${directory}`)
  const [tarball = ''] = globSync('*.tgz', { cwd: directory })
  await run(root, `npx publint run ${join(directory, tarball)} --strict`)
  await run(root, `npx attw ${join(directory, tarball)} --profile esm-only`)

  await writeFile(join(directory, 'package.json'), JSON.stringify(project, null, 2))
  await cp(join(root, 'test/stranger'), directory, { recursive: true })
  await run(directory, `npm install --prefer-offline --no-audit --no-fund ./${tarball}`)
  checkOffline(directory)
  checkSetupFile(join(directory, 'node_modules/retake/dist'))
  await run(directory, 'node javascript.mjs')
  await checkTypes(directory)
  await checkReplay(directory)
  expectText(await run(directory, 'npx retake --help'), 'verify')
  const cassette = '__cassettes__/agent.test.ts/looks-an-order-up.cassette.json'
  await run(directory, `npx retake verify ${cassette}`)
  await run(directory, `npx retake convert ${cassette} --to v2 --out v2.json`)
  await run(directory, `npx retake diff ${cassette} v2.json`)
  await run(directory, 'npx retake assert v2.json --expect-status success --expect-tools lookupOrder')
} finally {
  await rm(directory, { recursive: true, force: true })
}
