import { UsageError } from './command.ts'

/**
 * The file that a command works on.
 * @throws UsageError for none, or several
 */
export const oneFile = (verb: string, args: readonly string[]): string => {
  const [file, ...others] = args
  if (file === undefined) throw new UsageError(`${verb} needs a cassette: retake ${verb} <file>`)
  if (others.length > 0) throw new UsageError(`${verb} takes one cassette, not ${args.length}`)
  return file
}
