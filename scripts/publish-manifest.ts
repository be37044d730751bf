/**
 * npm packs what package.json says at that moment. In the repository the exports of `retake` are TypeScript sources;
 * `stage` (prepack) points them at the build and puts README, LICENSE and docs beside it, `restore` (postpack) undoes that.
 */
import { existsSync } from 'node:fs'
import { copyFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file, or one for each condition. */
type Target = string | { [condition: string]: Target }

/** As much of a package.json as is rewritten. */
export interface Manifest {
  exports: Record<string, Target>
  [member: string]: unknown
}

/** The code of Jest tests is CommonJS as often as not. */
const dual = new Set(['./jest', './matchers'])

/** Built files that no export names: the bin and the plugin load them. */
const unexported = [
  './dist/cli.mjs',
  './dist/exit-writer.mjs',
  './dist/late.mjs',
  './dist/report.mjs',
  './dist/vitest-setup.mts',
  './dist/jest-environment.mjs',
  './dist/jest-late.mjs',
]
const copies = ['README.md', 'LICENSE', 'docs']

/** The manifest as it is published: exports are the build, and what only the repository needs is gone. */
export const toPublished = ({ devDependencies: _, scripts: __, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  exports: Object.fromEntries(Object.entries(manifest.exports).map(([name, target]) => [name, toBuilt(name, target)])),
})

const toBuilt = (name: string, target: Target): Target => {
  if (typeof target !== 'string') {
    return Object.fromEntries(Object.entries(target).map(([condition, file]) => [condition, toBuilt(name, file)]))
  }
  const built = target.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1.mjs')
  return dual.has(name) ? { import: built, require: built.replace(/\.mjs$/, '.cjs') } : built
}

const filesOf = (target: Target): string[] =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf)

/** Files which a published manifest needs and `directory` does not have, the declarations of its modules included. */
export const missingFiles = (directory: string, published: Manifest): string[] => {
  const modules = filesOf(published.exports)
  const declarations = modules
    .filter((file) => /\.[cm]js$/.test(file))
    .map((file) => file.replace(/\.([cm])js$/, '.d.$1ts'))
  return [...modules, ...declarations, ...unexported].filter((file) => !existsSync(join(directory, file)))
}

/**
 * Rewrites the manifest in `directory` for publishing. The original is kept beside it, byte for byte, until `restore`.
 * @throws Error when a built file is missing; nothing is changed then
 */
export const stage = async (directory: string, root: string): Promise<void> => {
  await restore(directory)
  const path = join(directory, 'package.json')
  const published = toPublished(JSON.parse(await readFile(path, 'utf8')))
  const missing = missingFiles(directory, published)
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}. Run \`npm run build\` first.`)
  await copyFile(path, `${path}.source`)
  for (const name of copies) await cp(join(root, name), join(directory, name), { recursive: true })
  await writeFile(`${path}.new`, `${JSON.stringify(published, null, 2)}\n`)
  await rename(`${path}.new`, path)
}

/** Undoes `stage`. Harmless when nothing is staged. */
export const restore = async (directory: string): Promise<void> => {
  const path = join(directory, 'package.json')
  if (!existsSync(`${path}.source`)) return
  for (const name of copies) await rm(join(directory, name), { force: true, recursive: true })
  await rename(`${path}.source`, path)
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const directory = join(root, 'packages/retake')
  const step = process.argv[2] === 'stage' ? stage(directory, root) : restore(directory)
  await step.catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
