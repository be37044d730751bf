const flagName = '--update-cassettes'

/** Arguments without `--update-cassettes` or `--update-cassettes=…`, and what it says. Behind `--` it is not ours. */
export const takeUpdateFlag = (args: readonly string[]): { rest: string[]; flag: string | undefined } => {
  const end = args.indexOf('--')
  const isFlag = (argument: string, at: number): boolean =>
    (end < 0 || at < end) && (argument === flagName || argument.startsWith(`${flagName}=`))
  const given = args.filter(isFlag).at(-1)
  return {
    rest: args.filter((argument, at) => !isFlag(argument, at)),
    flag: given && (given.slice(flagName.length + 1) || 'update'),
  }
}
