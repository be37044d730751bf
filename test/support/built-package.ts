import { existsSync, globSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'tsdown'
import configs from '../../packages/retake/tsdown.config.ts'
import { toPublished } from '../../scripts/publish-manifest.ts'

const repository = resolve(import.meta.dirname, '../..')
const source = join(repository, 'packages/retake')

/**
 * Puts `retake` as it is published, but for its types, into the `node_modules` of a folder: Jest cannot run its sources.
 * It is built when a source is newer than what is there.
 */
export const installBuiltPackage = async (folder: string): Promise<void> => {
  const target = join(folder, 'node_modules/retake')
  if (existsSync(target) && statSync(target).mtimeMs > newestSource()) return
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  const fresh = await mkdtemp(join(folder, 'node_modules/.retake-'))
  const manifest = toPublished(JSON.parse(await readFile(join(source, 'package.json'), 'utf8')))
  await writeFile(join(fresh, 'package.json'), JSON.stringify(manifest))
  await cp(join(source, 'bin'), join(fresh, 'bin'), { recursive: true })
  for (const config of configs) {
    const own = { cwd: source, outDir: join(fresh, 'dist'), clean: false, dts: false, copy: [] }
    const inputOptions = { checks: { pluginTimings: false } }
    await build({ ...config, ...own, config: false, logLevel: 'silent', inputOptions })
  }
  await rm(target, { recursive: true, force: true })
  // Another worker may have been faster.
  await rename(fresh, target).catch(() => rm(fresh, { recursive: true }))
}

const newestSource = (): number =>
  Math.max(
    ...globSync('packages/*/{src,bin}/**/*.*', { cwd: repository }).map(
      (file) => statSync(join(repository, file)).mtimeMs,
    ),
    ...globSync('packages/*/*.{json,ts}', { cwd: repository }).map((file) => statSync(join(repository, file)).mtimeMs),
  )
