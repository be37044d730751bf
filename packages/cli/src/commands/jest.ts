import { createRunnerCommand } from '../runner-command.ts'

export const jest = createRunnerCommand('jest')
