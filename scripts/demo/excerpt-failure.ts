const widest = 110

/** The first failure in the output of Vitest: message and difference, without the code frame and the stack below them. */
export const excerptFailure = (output: string, limit: number): string[] => {
  const lines = output.split('\n')
  const start = lines.findIndex((line) => /^\S*Error: /.test(line))
  if (start < 0) return []
  const length = lines.slice(start).findIndex((line) => /^ *❯ |^⎯|^ *at /.test(line))
  const excerpt = lines.slice(start, length < 0 ? undefined : start + length)
  while (excerpt.at(-1)?.trim() === '') excerpt.pop()
  const cut = excerpt.map((line) => (line.length > widest ? `${line.slice(0, widest - 1)}…` : line))
  return cut.length > limit ? [...cut.slice(0, limit - 1), '…'] : cut
}
