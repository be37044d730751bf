import { type Command, exitCode, UsageError } from '../command.ts'
import { runCheck } from '../demo/run-check.ts'
import { formatDocument } from '../format-document.ts'

export const check: Command = {
  name: 'check',
  args: '',
  summary: 'Does retake work here? Record, verify, fork, verify and diff a run in memory',
  flags: { json: 'Print one JSON document' },
  details:
    'One row a stage. Nothing is written, and nothing needs a network or a key.\nExit code: 0 all pass, 1 one fails.',

  run({ args, flags }, io) {
    if (args.length > 0) throw new UsageError('check takes no arguments')
    const stages = runCheck()
    const pass = stages.every(({ status }) => status === 'pass')
    if (flags.has('json')) io.print(formatDocument({ pass, stages }))
    else {
      const width = Math.max(...stages.map(({ name }) => name.length))
      for (const { name, status, detail } of stages) {
        const mark = status === 'pass' ? io.style.good('pass') : io.style.bad('FAIL')
        io.print(`  ${name.padEnd(width)}  ${mark}  ${io.style.dim(detail)}`)
      }
      io.print(pass ? '\nretake works here' : '\nretake does not work here; please report this')
    }
    return pass ? exitCode.yes : exitCode.no
  },
}
