import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { missingFiles, toPublished } from './publish-manifest.ts'

const source = join(import.meta.dirname, '../packages/retake')

/**
 * Puts retake as it is published into the `node_modules` of a folder in this repository, where its dependencies are found.
 * @throws Error where the package is not built
 */
export const installBuild = async (folder: string): Promise<void> => {
  const published = toPublished(JSON.parse(await readFile(join(source, 'package.json'), 'utf8')))
  const missing = missingFiles(source, published)
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}. Run \`npm run build\` first.`)
  const installed = join(folder, 'node_modules/retake')
  await rm(installed, { recursive: true, force: true })
  await mkdir(installed, { recursive: true })
  for (const part of ['bin', 'dist']) await cp(join(source, part), join(installed, part), { recursive: true })
  await writeFile(join(installed, 'package.json'), JSON.stringify(published))
}
