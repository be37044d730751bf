import { join, resolve } from 'node:path'
import { saveCassette, terminalOutcome } from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { recordScenario, type Scenario, scenarios } from '../demo/scenarios.ts'
import { formatSteps } from '../format-steps.ts'

export const demo: Command = {
  name: 'demo',
  args: '',
  summary: 'Write two sample cassettes, of a built-in agent, to try the commands on',
  options: {
    scenario: ['success|error|all', 'A run that ends well, one that fails, or both [all]'],
    'out-dir': ['folder', 'Where they are written [retake-demo]'],
  },
  flags: {},
  details: 'The agent is part of retake; nothing needs a network or a key.\nExit code: 0 written.',

  run({ args, options }, io) {
    if (args.length > 0) throw new UsageError('demo takes no arguments')
    const folder = options.get('out-dir') ?? 'retake-demo'
    const written = toScenarios(options.get('scenario')).map((scenario) => {
      const trace = recordScenario(scenario, Date.now())
      const file = join(folder, `${scenario}.cassette.json`)
      saveCassette({ trace, format: 'v3', extras: [] }, resolve(io.cwd, file))
      io.print(`wrote ${file} (${formatSteps(trace.steps.length)}, ${terminalOutcome(trace).status})`)
      return file
    })
    io.print(`\nnext: retake inspect ${written[0]}`)
    if (written[0]?.includes('success')) {
      const child = join(folder, 'child.cassette.json')
      io.print(`      retake fork ${written[0]} --at 3 --set '{"status":"delivered"}' --out ${child}`)
      io.print(`      retake diff ${written[0]} ${child}`)
    }
    return exitCode.yes
  },
}

const toScenarios = (value = 'all'): readonly Scenario[] => {
  if (value === 'all') return scenarios
  const scenario = scenarios.find((name) => name === value)
  if (!scenario) throw new UsageError('--scenario takes success, error or all')
  return [scenario]
}
