import { createRunnerCommand } from '../runner-command.ts'

export const vitest = createRunnerCommand('vitest')
