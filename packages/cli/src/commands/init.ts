import { join } from 'node:path'
import { ConfigError } from '@retake/trace'
import writeFileAtomic from 'write-file-atomic'
import { type Command, exitCode } from '../command.ts'
import { renderChange } from '../init/render-change.ts'
import type { Step } from '../init/step.ts'
import { textconvHint } from '../init/textconv-hint.ts'
import type { Io } from '../io.ts'

export const init: Command = {
  name: 'init',
  args: '',
  summary: 'Set a project up for retake; shows each change and asks',
  flags: { yes: 'Make every change without asking' },
  details: [
    'Adds the plugin to the Vitest config, or the environment and the reporter to the Jest config, the line that makes',
    '`vitest --update-cassettes` or `jest --update-cassettes` work, a script for the tests,',
    'lines for git, and a first test where there is none. What is there already stays; each change is one that you can',
    'take back by hand.',
    'Exit code: 0 the project is set up, 1 something waits for you, 2 it could not be looked at.',
  ].join('\n'),

  async run({ flags }, io) {
    // Late: parsers that no other command needs.
    const { planInit } = await import('../init/plan-init.ts')
    const { openProject } = await import('../init/project.ts')
    const project = openProject(io.cwd)
    const steps = planInit(project)
    const changes = steps.filter((step) => step.kind === 'change')
    const ask = flags.has('yes') ? async () => true : io.confirm
    if (!ask && changes.length > 0) {
      for (const step of steps) io.print(renderStep(step, io))
      io.print('\nNothing was changed: this is no terminal to ask in. `retake init --yes` makes every change.')
      return exitCode.no
    }
    let waiting = 0
    for (const step of steps) {
      io.print(renderStep(step, io))
      if (step.kind === 'by hand') waiting++
      if (step.kind !== 'change') continue
      const answer = await ask?.(`${step.before === undefined ? 'Create' : 'Change'} ${step.file}?`)
      if (answer === undefined) {
        io.print('\nStopped: nothing more was changed.')
        return exitCode.no
      }
      if (answer) write(step, io)
      else waiting++
    }
    io.print(conclude(changes.length, waiting, testCommands[project.runner]))
    const hint = textconvHint(io.cwd)
    if (hint !== undefined) io.print(`\n${hint}`)
    return waiting === 0 ? exitCode.yes : exitCode.no
  },
}

const write = ({ file, after, before }: Step & { kind: 'change' }, { cwd, print, style }: Io): void => {
  try {
    writeFileAtomic.sync(join(cwd, file), after)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${file} could not be written (${code}); it is as it was`, { file })
  }
  print(style.good(`${before === undefined ? 'created' : 'changed'} ${file}`))
}

const renderStep = (step: Step, { style }: Io): string => {
  const head = `\n${style.title(step.file)}  ${style.dim(step.title)}`
  if (step.kind === 'done') return `${head}\n  is there already`
  if (step.kind === 'change') return `${head}\n${indent(renderChange(step, style))}`
  return `${head}\n  left alone: ${step.reason}\n${step.lines.map((line) => `    ${line}`).join('\n')}`.trimEnd()
}

const indent = (text: string): string => text.replace(/^/gm, '  ')

const testCommands = { vitest: 'npx vitest run', jest: 'npx jest' }

const conclude = (changes: number, waiting: number, command: string): string => {
  if (waiting > 0) return `\n${waiting === 1 ? '1 step is' : `${waiting} steps are`} left to you.`
  return changes === 0
    ? '\nEverything is there already.'
    : `\nReady. The first run of a test with a cassette records it, later runs replay it: ${command}`
}
