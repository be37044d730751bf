import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../support/run-project.ts'

const script = join(import.meta.dirname, '../../scripts/conformance.ts')
const fixture = readFileSync(
  join(import.meta.dirname, '../../scripts/conformance/fixtures/exchanges.jsonl'),
  'utf8',
).trimEnd()

const answers = readFileSync(join(import.meta.dirname, '../../scripts/conformance/fixtures/answers.jsonl'), 'utf8')

const run = async (traffic: string, ...args: string[]) => {
  await using project = await createProject({ 'traffic.jsonl': traffic })
  return await project.run({ command: ['node', script, ...args] })
}

test('real exchanges are replayed as they were, and dumped with both bodies', async () => {
  const { exitCode, stdout, stderr, files } = await run(fixture, 'traffic.jsonl', '--json', '--dump', 'dump')
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ total: 8, exact: 8, refused: 0, lost: 0, skipped: 0, reasons: {} })

  const dumped = Object.keys(files).filter((path) => path.startsWith('dump/'))
  expect(dumped).toHaveLength(8)
  const [first, traffic] = [JSON.parse(files['dump/00001.json'] ?? ''), JSON.parse(fixture.split('\n')[0] ?? '')]
  expect(first).toMatchObject({
    run: traffic.run,
    turn: 0,
    provider: 'openai',
    endpoint: 'chat.completions',
    streaming: false,
    verdict: 'exact',
    original: { status: 200 },
    replayed: { status: 200, headers: { 'content-type': 'application/json' } },
  })
  expect(JSON.parse(first.original.body)).toEqual(traffic.response.body)
  expect(JSON.parse(first.replayed.body).choices[0].message.tool_calls).toHaveLength(2)
})

test('answers of which nobody recorded the request are asked for, and read the same by the SDKs', async () => {
  const { exitCode, stdout, stderr } = await run(answers, 'traffic.jsonl', '--json')
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  // Some of the files hold the streams of two answers.
  expect(JSON.parse(stdout)).toMatchObject({ total: 18, exact: 18, refused: 0, lost: 0, skipped: 0 })
})

test('a refused exchange is taken out and the rest of its run recorded without it', async () => {
  const [line = ''] = fixture.split('\n')
  const plain = JSON.parse(line)
  const twice = structuredClone(plain)
  twice.turn = 1
  twice.request.body.n = 2
  const other = { ...structuredClone(plain), turn: 2, endpoint: 'models' }
  other.request.method = 'GET'
  const again = { ...structuredClone(plain), turn: 3 }
  again.response.body.choices[0].message.tool_calls[0].function.name = 'other'
  const traffic = [plain, twice, other, again].map((exchange) => JSON.stringify(exchange)).join('\n')

  const { exitCode, stdout } = await run(traffic, 'traffic.jsonl', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ exact: 2, refused: 1, lost: 0, skipped: 1, reasons: { 'n > 1': 1 } })
})

test('a file that cannot be read is an error of its own, and says where', async () => {
  const broken = await run(`${fixture}\n{"run": 1}\n`, 'traffic.jsonl')
  expect([broken.exitCode, broken.stderr]).toEqual([2, 'conformance: line 9: run is no string\n'])
  expect((await run(fixture, 'missing.jsonl')).stderr).toContain('ENOENT')
  expect((await run(fixture)).exitCode).toBe(2)
})
