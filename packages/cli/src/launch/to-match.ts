import { UsageError } from '../command.ts'

/** @throws UsageError for another value of `--match` */
export const toMatch = (options: ReadonlyMap<string, string>): 'strict' | 'sequence' | undefined => {
  const match = options.get('match')
  if (match === undefined || match === 'strict' || match === 'sequence') return match
  throw new UsageError('--match takes strict or sequence')
}
