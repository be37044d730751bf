import { tryGit } from '../git/git.ts'

/**
 * What makes `git diff` show cassettes as conversations, where .gitattributes names the driver and this clone does not
 * know it; undefined elsewhere. It is a setting of the clone, which no file of the project can make.
 */
export const textconvHint = (cwd: string): string | undefined => {
  const ask = (...args: string[]) => tryGit({ cwd, args })?.toString().trim()
  try {
    const attribute = ask('check-attr', 'diff', '--', 'a.cassette.json')
    if (!attribute?.endsWith(': diff: retake') || ask('config', '--get', 'diff.retake.textconv')) return undefined
  } catch {
    // No git here.
    return undefined
  }
  return [
    'git diff shows cassettes as conversations after this, once in each clone:',
    '  git config diff.retake.textconv "npx --no-install retake textconv"',
  ].join('\n')
}
