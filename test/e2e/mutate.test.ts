import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wires } from '@retake/providers'
import { expect, test } from 'vitest'
import { fullRequests } from '../../scripts/mutate/full-requests.ts'
import { places } from '../../scripts/mutate/places.ts'
import { createProject } from '../support/run-project.ts'

const script = join(import.meta.dirname, '../../scripts/mutate.ts')
const fixture = readFileSync(join(import.meta.dirname, '../../scripts/conformance/fixtures/exchanges.jsonl'), 'utf8')

const run = async (traffic: string, ...args: string[]) => {
  await using project = await createProject({ 'traffic.jsonl': traffic })
  return await project.run({ command: ['node', script, ...args] })
}

test('every wire is known to the script', () => {
  const names = wires.map(({ name }) => name).sort()
  expect([Object.keys(places).sort(), Object.keys(fullRequests).sort()]).toEqual([names, names])
})

test('every change of real requests misses and is named, every rewriting is served', async () => {
  const { exitCode, stdout, stderr } = await run(fixture, 'traffic.jsonl', '--json')
  expect([exitCode, stderr]).toEqual([0, ''])
  const { applicable, right, rows, faults } = JSON.parse(stdout)
  expect([applicable, faults]).toEqual([right, []])
  expect(applicable).toBeGreaterThan(60)
  const changes = rows.filter(({ wire }: { wire: string }) => wire === 'openai.chat')
  expect(changes.map(({ change }: { change: string }) => change).sort()).toEqual(
    expect.arrayContaining([
      'cache marks',
      'model',
      'prompt char',
      'schema property',
      'tool_choice',
      'unknown new field',
    ]),
  )
})

test('a change that replay serves, here because the run holds both, is told', async () => {
  const [line = ''] = fixture.split('\n')
  const once = JSON.parse(line)
  const hotter = structuredClone(once)
  hotter.turn = 1
  hotter.request.body.temperature = 0.123
  const { exitCode, stdout } = await run(`${line}\n${JSON.stringify(hotter)}`, 'traffic.jsonl')
  expect(exitCode).toBe(1)
  expect(stdout).toContain('openai.chat, temperature')
})

test('a file that cannot be read is an error of its own', async () => {
  const { exitCode, stderr } = await run('{"run": 1}', 'traffic.jsonl')
  expect([exitCode, stderr]).toEqual([2, 'mutate: line 1: run is no string\n'])
})
