import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { restore, stage } from './publish-manifest.ts'

const manifest = `{
    "name": "sample",
    "exports": { ".": "./src/index.ts", "./trace": { "browser": "./src/report.ts", "default": "./src/trace.ts" }, "./jest": "./src/jest.ts", "./package.json": "./package.json" },
    "scripts": { "prepack": "x" },
    "dependencies": { "a": "^1.0.0" },
    "devDependencies": { "@retake/trace": "0.0.0" }
}`
const built = [
  ...['index', 'trace', 'cli', 'exit-writer', 'late', 'report', 'jest', 'jest-environment', 'jest-late'].flatMap(
    (name) => [`dist/${name}.mjs`, `dist/${name}.d.mts`],
  ),
  'dist/jest.cjs',
  'dist/jest.d.cts',
  'dist/vitest-setup.mts',
]

const createPackage = async (files: string[]) => {
  const root = await mkdtemp(join(tmpdir(), 'retake-manifest-'))
  const directory = join(root, 'package')
  for (const [path, text] of [
    ['README.md', 'read me'],
    ['LICENSE', 'MIT'],
    ['docs/errors.md', '# Errors'],
    ['package/package.json', manifest],
    ...files.map((file) => [`package/${file}`, '']),
  ] as [string, string][]) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return { root, directory, read: () => readFile(join(directory, 'package.json'), 'utf8') }
}

test('staging points the exports at the build and drops what only the repository needs', async () => {
  const { root, directory, read } = await createPackage(built)
  await stage(directory, root)
  expect(JSON.parse(await read())).toEqual({
    name: 'sample',
    exports: {
      '.': './dist/index.mjs',
      './trace': { browser: './dist/report.mjs', default: './dist/trace.mjs' },
      './jest': { import: './dist/jest.mjs', require: './dist/jest.cjs' },
      './package.json': './package.json',
    },
    dependencies: { a: '^1.0.0' },
  })
  expect(await readdir(directory)).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'docs']))
  expect(await readFile(join(directory, 'docs/errors.md'), 'utf8')).toBe('# Errors')
})

test('restoring gives the manifest back byte for byte and leaves no copies', async () => {
  const { root, directory, read } = await createPackage(built)
  await stage(directory, root)
  await restore(directory)
  await restore(directory)
  expect(await read()).toBe(manifest)
  expect((await readdir(directory)).sort()).toEqual(['dist', 'package.json'])
})

test('staging after an interrupted pack starts from the original manifest', async () => {
  const { root, directory, read } = await createPackage(built)
  await stage(directory, root)
  await stage(directory, root)
  await restore(directory)
  expect(await read()).toBe(manifest)
})

test.each(['dist/trace.mjs', 'dist/trace.d.mts', 'dist/cli.mjs', 'dist/vitest-setup.mts', 'dist/jest.d.cts'])(
  'staging without %s is refused and changes nothing',
  async (file) => {
    const { root, directory, read } = await createPackage(built.filter((name) => name !== file))
    await expect(stage(directory, root)).rejects.toThrow(file)
    expect(await read()).toBe(manifest)
  },
)
