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

/** Jest where there is that and no Vitest, by the configs and the package.json of a folder; undefined without a sign. */
const runnerOf = (folder: string): Runner | undefined => {
  const has = (file: string) => existsSync(join(folder, file))
  const manifest = readManifest(join(folder, 'package.json')) ?? {}
  if (vitestConfigs.some(has) || dependsOn(manifest, 'vitest')) return 'vitest'
  return jestConfigs.some(has) || manifest.jest !== undefined || dependsOn(manifest, 'jest') ? 'jest' : undefined
}

/** The runner of a folder, or of the nearest one above: a member of a workspace has the one of its root. */
export const findRunner = (folder: string): Runner => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const runner = runnerOf(at)
    if (runner) return runner
    if (at === dirname(at)) return 'vitest'
  }
}

export const dependsOn = (manifest: JsonObject, name: string): boolean =>
  [manifest.dependencies, manifest.devDependencies].some((list) => isJsonObject(list) && name in list)

/** Undefined where there is none, or one that is no JSON object. */
export const readManifest = (path: string): JsonObject | undefined => {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(manifest) ? manifest : undefined
  } catch {
    return undefined
  }
}
