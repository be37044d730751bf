import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ConfigError } from '@retake/trace'
import type { Environment } from './circus.ts'

// biome-ignore lint/suspicious/noExplicitAny: as its packages declare it
type EnvironmentClass = new (config: any, context: any) => Environment

/**
 * An environment of the Jest that runs: of the project, else beside Jest itself, where package managers that keep
 * packages apart have it.
 *
 * @throws ConfigError where it is not installed
 */
export const findEnvironment = (name: 'jest-environment-node' | 'jest-environment-jsdom'): EnvironmentClass => {
  const places = [join(process.cwd(), 'package.json'), ...(process.argv[1] ? [process.argv[1]] : [])]
  for (const place of places) {
    const require = createRequire(place)
    try {
      const file = require.resolve(name)
      return require(file).TestEnvironment
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new ConfigError(`${name} is not installed: npm install --save-dev ${name}`, { name })
}
