/** A command as it could be typed. */
export const formatCommand = (command: readonly string[]): string => command.map(quote).join(' ')

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
