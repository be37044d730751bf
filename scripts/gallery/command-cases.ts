import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createDemoRepository } from '../../test/support/demo-repository.ts'
import { runCommand } from './run-command.ts'

const corpus = resolve(import.meta.dirname, '../../test/corpus/blackbox')

export interface Shown {
  name: string
  output: string
}

/** What every command shows of good, broken and different cassettes. */
export const playCommands = async (width: number): Promise<Shown[]> => {
  await using repository = await createDemoRepository()
  const { folder, cassette } = repository
  const shown: Shown[] = []
  const run = async (...argv: string[]): Promise<void> => {
    shown.push({ name: `retake ${argv.join(' ')}`, output: await runCommand(folder, argv, width) })
  }
  cpSync(join(corpus, 'fork-parent.v2.json'), join(folder, 'parent.json'))
  cpSync(join(corpus, 'fork-child.v2.json'), join(folder, 'child.json'))
  cpSync(join(corpus, 'success-tool-use.v2.json'), join(folder, 'good.json'))
  const good = readFileSync(join(folder, 'good.json'), 'utf8')
  writeFileSync(join(folder, 'edited.json'), good.replace(/"toolName": ?"(\w+)"/, '"toolName": "other"'))
  writeFileSync(join(folder, 'conflict.json'), good.replace('{\n', '{\n<<<<<<< HEAD\n'))
  writeFileSync(join(folder, 'newer.json'), JSON.stringify({ ...JSON.parse(good), version: 9 }))
  writeFileSync(join(folder, 'truncated.json'), good.slice(0, 200))

  await run('--help')
  await run('report', '--help')
  await run('list')
  await run('list', 'good.json', 'edited.json', 'conflict.json', 'newer.json', 'truncated.json', 'absent.json')
  await run('inspect', 'good.json')
  await run('inspect', 'good.json', '--step', '1')
  await run('replay', cassette('late'))
  await run('inspect', cassette('late'))
  await run('verify', 'good.json')
  await run('verify', 'edited.json', 'conflict.json', 'newer.json', 'truncated.json', 'absent.json')
  await run('diff', 'parent.json', 'child.json')
  await run('diff', 'good.json', 'good.json')
  await run(
    'assert',
    'good.json',
    '--expect-status',
    'error',
    '--expect-final-answer',
    'Something else',
    '--expect-tools',
    'search',
  )
  await run('report', 'main...HEAD')
  await run('report', 'HEAD')
  await run('prune')
  await run('mv', 'absent.cassette.json', 'b.cassette.json')
  await run('convert', 'good.json', '--to', 'v9')
  await run('nonsense')
  await run('check')
  repository.git('checkout', '-q', 'main')
  await repository.record('after', { review: true })
  await run('review')
  for (const keys of [['q'], ['s', 'f', 'q'], ['a', 'r', 's']]) {
    const output = await runCommand(folder, ['review'], width, keys)
    shown.push({ name: `retake review, keys ${keys.join(' ')}`, output })
  }
  return shown
}
