import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ConfigError, isJsonObject, type JsonObject } from '@retake/trace'
import { dependsOn, runnerOf } from '../find-runner.ts'
import type { Runner } from '../run-runner.ts'

/** The project that is set up. */
export interface Project {
  /** Its folder, absolute. */
  folder: string
  manifest: JsonObject
  packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun'
  typescript: boolean
  runner: Runner
  env: Readonly<Record<string, string | undefined>>
  /** Text of a file by its path from the folder; undefined where there is none. */
  read(file: string): string | undefined
}

/** @throws ConfigError where there is no package.json that can be read */
export const openProject = (folder: string, env: Project['env'] = process.env): Project => {
  const read = (file: string): string | undefined => {
    const path = join(folder, file)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  const manifest = parseManifest(read('package.json'))
  return {
    folder,
    manifest,
    packageManager: findPackageManager(folder, manifest, env.npm_config_user_agent),
    typescript: read('tsconfig.json') !== undefined || dependsOn(manifest, 'typescript'),
    runner: runnerOf(manifest, (file) => read(file) !== undefined),
    env,
    read,
  }
}

/** As if its package.json had this text. */
export const withFile = (project: Project, text: string): Project => ({
  ...project,
  manifest: parseManifest(text),
  read: (file) => (file === 'package.json' ? text : project.read(file)),
})

const parseManifest = (text: string | undefined): JsonObject => {
  if (text === undefined) {
    throw new ConfigError('there is no package.json here: run this in the folder of your project', {})
  }
  try {
    const manifest: unknown = JSON.parse(text)
    if (isJsonObject(manifest)) return manifest
  } catch {
    // The same sentence for both.
  }
  throw new ConfigError('package.json is no JSON object: nothing was changed', { file: 'package.json' })
}

const lockFiles = {
  'pnpm-lock.yaml': 'pnpm',
  'pnpm-workspace.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
} as const
const names = ['npm', 'pnpm', 'yarn', 'bun'] as const

/** By the manifest, else the nearest lock file, else who started this process. */
const findPackageManager = (
  folder: string,
  { packageManager }: JsonObject,
  userAgent = '',
): Project['packageManager'] => {
  const named = (text: string) => names.find((name) => text.startsWith(name))
  const declared = typeof packageManager === 'string' ? named(packageManager) : undefined
  return declared ?? byLockFile(folder) ?? named(userAgent) ?? 'npm'
}

const byLockFile = (folder: string): Project['packageManager'] | undefined => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const [file, manager] of Object.entries(lockFiles)) if (existsSync(join(at, file))) return manager
    if (at === dirname(at)) return undefined
  }
}

/** The nearest of a file in this folder or above it, by its path from the folder. */
export const findUp = (folder: string, file: string): string | undefined => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, file))) return relative(folder, join(at, file))
    if (at === dirname(at)) return undefined
  }
}
