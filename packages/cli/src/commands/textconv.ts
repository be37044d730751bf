import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { renderTranscript } from '@retake/report'
import { ConfigError, isRetakeError, loadCassette } from '@retake/trace'
import { type Command, exitCode } from '../command.ts'
import { oneFile } from '../one-file.ts'

export const textconv: Command = {
  name: 'textconv',
  args: '<file>',
  summary: 'Print a cassette as a conversation, for git diff and git log -p',
  flags: {},
  details: [
    'Git runs it where .gitattributes says diff=retake and this clone knows the command:',
    '  git config diff.retake.textconv "npx --no-install retake textconv"',
    'A file that cannot be read as a cassette is printed as it is, so that git goes on.',
    'Exit code: 0 printed, 2 there is no such file.',
  ].join('\n'),

  run({ args }, io) {
    const file = oneFile('textconv', args)
    const path = resolve(io.cwd, file)
    try {
      io.write(renderTranscript(loadCassette(path)))
    } catch (error) {
      if (!isRetakeError(error) || error instanceof ConfigError) throw error
      io.write(readFileSync(path, 'utf8'))
    }
    return exitCode.yes
  },
}
