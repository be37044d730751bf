import { resolve } from 'node:path'
import { type Command, UsageError } from '../command.ts'
import { formatSteps } from '../format-steps.ts'
import { defaultCassette } from '../launch/default-cassette.ts'
import { launch } from '../launch/launch.ts'
import { noticeUnfinished, reportOutcome } from '../launch/report-outcome.ts'
import { sessionOptions, toSessionVariables } from '../launch/session-options.ts'

export const record: Command = {
  name: 'record',
  args: '-- <command…>',
  summary: 'Run an agent, and record what the model and its tools said',
  options: {
    out: ['file', 'The cassette to write [__cassettes__/<the command>.cassette.json]'],
    id: ['id', 'The id of the run [that of the file it replaces, else a new one]'],
    ...sessionOptions,
  },
  flags: { review: 'A file that is there stays; what the run says otherwise waits beside it, to be accepted' },
  takesCommand: true,
  details: [
    'The agent needs no change: its calls through fetch, node:http and undici are recorded in every Node that the command',
    'starts. A file that is there is replaced, where the run says something else. One argument with spaces is for a shell.',
    'Exit code: that of the command; 1 where it is 0 and nothing could be recorded.',
  ].join('\n'),

  async run({ args, options, flags, command = [] }, io) {
    if (args.length > 0) throw new UsageError(`record takes its command behind --, and no "${args[0]}" before it`)
    if (command.length === 0) throw new UsageError('record needs a command: retake record -- node agent.mjs')
    const out = options.get('out') ?? defaultCassette(command)
    const id = options.get('id')
    if (flags.has('review') && !out.endsWith('.cassette.json')) {
      throw new UsageError(`--review needs a cassette that is named ….cassette.json, not ${out}`)
    }
    const told = {
      OUT: resolve(io.cwd, out),
      ...(id !== undefined && { ID: id }),
      ...(flags.has('review') && { REVIEW: '1' }),
      ...toSessionVariables(options),
    }
    const launched = await launch({ mode: 'record', command, cwd: io.cwd, told })
    return reportOutcome(launched, {
      verb: 'record',
      io,
      success(report) {
        if (report.kind === 'waiting') return [`a take of ${out} waits: npx retake review`, ...noticeUnfinished(report)]
        const verb =
          { recorded: 'wrote', updated: 'wrote', unchanged: 'unchanged:' }[String(report.kind)] ?? report.kind
        return [`${verb} ${out} (${formatSteps(report.steps)}, ${report.status})`, ...noticeUnfinished(report)]
      },
    })
  },
}
