import { ConfigError } from '@retake/trace'
import type { Vitest } from 'vitest/node'

interface Surroundings {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  ci: boolean
}

/**
 * What the command line says about cassettes: `RETAKE_FLAG`, which the `.npmrc` line sets for `--update-cassettes`, else
 * `vitest --update.cassettes`, else `vitest -- --update-cassettes`. Vitest takes the dotted one for an update of
 * snapshots too; that is undone here.
 *
 * @throws ConfigError where Vitest took a file name for the value of the flag
 */
export const readUpdateFlag = (vitest: Vitest, surroundings: Surroundings): string | undefined => {
  const dotted = takeDottedFlag(vitest, surroundings)
  const rest = (vitest.config as { '--'?: unknown[] })['--'] ?? []
  const passedOn = rest.map(String).find((argument) => /^--update-cassettes(=|$)/.test(argument))
  return surroundings.env.RETAKE_FLAG || dotted || (passedOn && (passedOn.split('=')[1] ?? 'update'))
}

const takeDottedFlag = ({ config, snapshot }: Vitest, { argv, env, ci }: Surroundings): string | undefined => {
  const update: unknown = config.update
  if (typeof update !== 'object' || update === null || !('cassettes' in update)) {
    // Beside `-u` the parser loses it.
    return update === true && argv.includes('--update.cassettes') ? 'update' : undefined
  }
  config.update = false
  const mode = env.UPDATE_SNAPSHOT ? 'all' : ci ? 'none' : 'new'
  config.snapshotOptions.updateSnapshot = mode
  snapshot.options.updateSnapshot = mode
  const value = String(update.cassettes)
  if (value === 'true') return 'update'
  if (value === 'false') return undefined
  if (argv.some((argument) => argument.startsWith('--update.cassettes='))) return value
  throw new ConfigError(
    `--update.cassettes took "${value}" for its value: put the flag last, or write --update.cassettes=true`,
    { flag: '--update.cassettes' },
  )
}
