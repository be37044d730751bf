import type { Command } from './command.ts'
import { type Runner, runnerNames, startRunner } from './run-runner.ts'
import { takeUpdateFlag } from './take-update-flag.ts'

/** A verb that runs the tests of a project with one more flag. */
export const createRunnerCommand = (runner: Runner): Command => {
  const name = runnerNames[runner]
  return {
    name: runner,
    args: `[arguments of ${runner}…]`,
    summary: `Run ${name}, and know --update-cassettes without any set-up`,
    flags: {},
    passesOn: true,
    details: [
      `--update-cassettes records the tests of this run anew; everything else is for ${name}, and so is --help.`,
      `Exit code: that of ${name}.`,
    ].join('\n'),

    run({ args }, { cwd }) {
      const { rest, flag } = takeUpdateFlag(args)
      return startRunner({ runner, args: rest, cwd, env: flag === undefined ? {} : { RETAKE_FLAG: flag } })
    },
  }
}
