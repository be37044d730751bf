import { join } from 'node:path'
import { sha256 } from '@retake/trace'
import { formatCommand } from './format-command.ts'

const longest = 80

/** Where the run of a command is kept if nobody says: the same command has the same file. */
export const defaultCassette = (command: readonly string[]): string => {
  const text = formatCommand(command)
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const name = slug !== '' && slug.length <= longest ? slug : `${slug.slice(0, longest)}-${sha256(text).slice(0, 8)}`
  return join('__cassettes__', `${name}.cassette.json`)
}
