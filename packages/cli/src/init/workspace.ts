import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isJsonObject, type JsonObject } from '@retake/trace'
import { globSync } from 'tinyglobby'
import { parseDocument } from 'yaml'
import { readManifest } from '../find-runner.ts'

/** The workspace that a folder is a member of; undefined for a project of its own, and for the root of a workspace. */
export const findWorkspace = (folder: string): { root: string; manifest: JsonObject } | undefined => {
  for (const root of foldersUp(folder).slice(1)) {
    const manifest = readManifest(join(root, 'package.json')) ?? {}
    if (isMember(folder, root, [...npmMembers(manifest), ...pnpmMembers(root)])) return { root, manifest }
  }
  return undefined
}

/** A folder and all above it, the nearest first. */
export const foldersUp = (folder: string): string[] => {
  const folders = [resolve(folder)]
  for (let at = resolve(folder); at !== dirname(at); at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** The nearest of a file in this folder or above it, by its path from the folder. */
export const findUp = (folder: string, file: string): string | undefined => {
  const found = foldersUp(folder).find((at) => existsSync(join(at, file)))
  return found === undefined ? undefined : relative(folder, join(found, file))
}

const isMember = (folder: string, root: string, patterns: readonly string[]): boolean => {
  if (patterns.length === 0) return false
  const manifests = patterns.map((pattern) => `${pattern.replace(/\/+$/, '')}/package.json`)
  const found = globSync(manifests, { cwd: root, ignore: ['**/node_modules/**'] })
  return found.includes(relative(root, join(folder, 'package.json')).split(sep).join('/'))
}

/** Of npm, yarn and bun. */
const npmMembers = ({ workspaces }: JsonObject): string[] =>
  toTexts(isJsonObject(workspaces) ? workspaces.packages : workspaces)

const pnpmMembers = (root: string): string[] => {
  const path = join(root, 'pnpm-workspace.yaml')
  if (!existsSync(path)) return []
  const { contents } = parseDocument(readFileSync(path, 'utf8'))
  const value: unknown = contents?.toJSON()
  return isJsonObject(value) ? toTexts(value.packages) : []
}

const toTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
