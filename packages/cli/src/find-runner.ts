import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '@retake/trace'
import type { Runner } from './run-runner.ts'

const endings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/** In the order in which Vitest looks for its config. */
export const vitestConfigs = ['vitest.config', 'vite.config'].flatMap((name) =>
  endings.map((ending) => `${name}.${ending}`),
)

export const jestConfigs = [...endings, 'json'].map((ending) => `jest.config.${ending}`)

/** The runner of a project: Jest where there is that and no Vitest, by its configs and its package.json. */
export const runnerOf = (manifest: JsonObject, has: (file: string) => boolean): Runner => {
  if (vitestConfigs.some(has) || dependsOn(manifest, 'vitest')) return 'vitest'
  return jestConfigs.some(has) || manifest.jest !== undefined || dependsOn(manifest, 'jest') ? 'jest' : 'vitest'
}

/** The runner of the package that a folder is in. */
export const findRunner = (folder: string): Runner => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const manifest = readManifest(join(at, 'package.json'))
    if (manifest) return runnerOf(manifest, (file) => existsSync(join(at, file)))
    if (at === dirname(at)) return 'vitest'
  }
}

export const dependsOn = (manifest: JsonObject, name: string): boolean =>
  [manifest.dependencies, manifest.devDependencies].some((list) => isJsonObject(list) && name in list)

const readManifest = (path: string): JsonObject | undefined => {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(manifest) ? manifest : undefined
  } catch {
    return undefined
  }
}
