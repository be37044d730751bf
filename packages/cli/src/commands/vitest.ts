import type { Command } from '../command.ts'
import { startVitest } from '../run-vitest.ts'
import { takeUpdateFlag } from '../take-update-flag.ts'

export const vitest: Command = {
  name: 'vitest',
  args: '[arguments of vitest…]',
  summary: 'Run Vitest, and know --update-cassettes without any set-up',
  flags: {},
  passesOn: true,
  details: [
    '--update-cassettes records the tests of this run anew; everything else is for Vitest, and so is --help.',
    'Exit code: that of Vitest.',
  ].join('\n'),

  run({ args }, { cwd }) {
    const { rest, flag } = takeUpdateFlag(args)
    return startVitest({ args: rest, cwd, env: flag === undefined ? {} : { RETAKE_FLAG: flag } })
  },
}
