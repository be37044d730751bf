import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, isJsonObject, type JsonObject } from '@retake/trace'
import { dependsOn, findRunner } from '../find-runner.ts'
import type { Runner } from '../run-runner.ts'
import { findWorkspace, foldersUp } from './workspace.ts'

/** The project that is set up. */
export interface Project {
  /** Its folder, absolute. */
  folder: string
  /** Where what belongs to a whole checkout is: the root of the workspace it is a member of, else `folder`. */
  root: string
  manifest: JsonObject
  packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun'
  typescript: boolean
  runner: Runner
  env: Readonly<Record<string, string | undefined>>
  /** Text of a file by its path from the folder; undefined where there is none. */
  read(file: string): string | undefined
  /** Is a package among its dependencies, or those of its workspace? */
  dependsOn(name: string): boolean
}

/** @throws ConfigError where there is no package.json that can be read */
export const openProject = (folder: string, env: Project['env'] = process.env): Project => {
  const read = (file: string): string | undefined => {
    const path = join(folder, file)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  const manifest = parseManifest(read('package.json'))
  const workspace = findWorkspace(folder)
  const manifests = [manifest, ...(workspace ? [workspace.manifest] : [])]
  const depends = (name: string) => manifests.some((one) => dependsOn(one, name))
  return {
    folder,
    root: workspace?.root ?? folder,
    manifest,
    packageManager: findPackageManager(folder, manifests, env.npm_config_user_agent),
    typescript: read('tsconfig.json') !== undefined || depends('typescript'),
    runner: findRunner(folder),
    env,
    read,
    dependsOn: depends,
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

/** By the first manifest that names one, else the nearest lock file, else who started this process. */
const findPackageManager = (
  folder: string,
  manifests: readonly JsonObject[],
  userAgent = '',
): Project['packageManager'] => {
  const named = (text: string) => names.find((name) => text.startsWith(name))
  const [declared] = manifests.flatMap(({ packageManager }) =>
    typeof packageManager === 'string' ? (named(packageManager) ?? []) : [],
  )
  return declared ?? byLockFile(folder) ?? named(userAgent) ?? 'npm'
}

const byLockFile = (folder: string): Project['packageManager'] | undefined =>
  foldersUp(folder).flatMap((at) =>
    Object.entries(lockFiles).flatMap(([file, manager]) => (existsSync(join(at, file)) ? [manager] : [])),
  )[0]
