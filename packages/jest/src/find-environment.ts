import { createRequire } from 'node:module'
import { join } from 'node:path'
import { requireNode } from '@retake/session/runner'
import { ConfigError } from '@retake/trace'
import type { Environment } from './circus.ts'

// biome-ignore lint/suspicious/noExplicitAny: as its packages declare it
type EnvironmentClass = new (config: any, context: any) => Environment

/** From a project to what has the environment of Node among its dependencies, also where those are kept apart. */
const wayToConfig = ['jest', '@jest/core', 'jest-config']

/**
 * An environment of the Jest that a project has: one that it names among its dependencies, or that Jest brings along.
 *
 * @throws ConfigError where it is not installed, and below Node 22.12
 */
export const findEnvironment = (name: 'jest-environment-node' | 'jest-environment-jsdom'): EnvironmentClass => {
  requireNode()
  const project = join(process.cwd(), 'package.json')
  const file = resolveFrom(project, [name]) ?? resolveFrom(project, [...wayToConfig, name])
  if (file === undefined) {
    throw new ConfigError(`${name} is not installed: npm install --save-dev ${name}`, { name })
  }
  return createRequire(file)(file).TestEnvironment
}

/** Each name as the one before it finds it; undefined where one of them is not there. */
const resolveFrom = (place: string, names: readonly string[]): string | undefined => {
  const [name, ...others] = names
  if (name === undefined) return place
  try {
    return resolveFrom(createRequire(place).resolve(name), others)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
