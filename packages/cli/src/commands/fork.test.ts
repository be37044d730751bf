import { parseTrace, type Trace, verifyText } from '@retake/trace'
import { expect, test } from 'vitest'
import { inCorpusFolder } from '../../test/run-main.ts'

const { read, run } = inCorpusFolder()
const parentFile = 'success-tool-use.v2.json'
const trace = (name: string): Trace => {
  const text = read(name)
  expect(verifyText(text).pass).toBe(true)
  return parseTrace(text)
}

test.each([
  [[], 'fork needs the step that is another: --at 3'],
  [['--at', '03'], '--at takes the index of a step: 0, 1, 2 …'],
  [['--at', '99'], `--at: there is no step 99 in ${parentFile}`],
  [['--at', '14'], `--at: step 14 is metadata in ${parentFile}`],
  [['--at', '1', '--set', '1'], '--set gives the result of a tool, and step 1 is a model_output'],
  [['--at', '3', '--set', 'late'], `--set takes JSON, such as '"late"'`],
  [['--at', '1', '--out', parentFile], `--out must be another file than ${parentFile}`],
  [['--at', '1', '--live'], '--live needs a command'],
  [['--at', '1', '--script', 'a.json'], '--script needs a command'],
  [['--at', '1', '--', 'node'], 'fork goes on with --live or with --script <file>'],
  [['--at', '1', '--live', '--script', 'a.json', '--', 'node'], 'fork goes on with --live or with --script <file>'],
  [['--at', '1', '--script', 'a.json', '--', 'node'], 'there is no script a.json'],
  [['--at', '1', '--script', 'fork-child.v2.json', '--', 'node'], 'the script must be a JSON list of replies'],
  [['--at', '1', '--live', '--http', 'x', '--', 'node'], '--http takes record, allow or block'],
  [['--at', '1', '--allow', 'a.test'], '--allow needs a command'],
  [['--at', '1', '--live', '--match', 'x', '--', 'node'], '--match takes strict or sequence'],
  [['--at', '1', '--script', 'a.json', '--out', 'a.json', '--', 'node'], '--out must be another file than a.json'],
])('%j is refused in one line', async (flags, message) => {
  const { code, out, err } = await run('fork', parentFile, ...flags)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(`retake: ${message}`)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('without a command it is the built-in fork: the steps before, the new result, and its parent', async () => {
  expect(await run('fork', parentFile, '--at', '3', '--set', '{"temperature":3}', '--id', 'colder')).toEqual({
    code: 0,
    out:
      'wrote success-tool-use.v2.fork.cassette.json (4 steps, incomplete); steps 0–2 are copied, step 3 is your new result\n' +
      `next: retake diff ${parentFile} success-tool-use.v2.fork.cassette.json\n`,
    err: '',
  })
  const parent = trace(parentFile)
  const child = trace('success-tool-use.v2.fork.cassette.json')
  expect(child).toMatchObject({ id: 'colder', parentId: parent.id, forkedFromStepId: parent.steps[3]?.id })
  expect(child.steps.slice(0, 3)).toEqual(parent.steps.slice(0, 3))
  expect(child.steps[3]).toMatchObject({ type: 'tool_result', payload: { result: { temperature: 3 } } })
  expect(child.steps[3]?.prevHash).toBe(parent.steps[2]?.hash)
})

test('a recording of demo is continued by the agent that is built in, and parts at the step', async () => {
  const demo = await run('demo', '--out-dir', 'demo')
  expect(demo.out).toContain('wrote demo/success.cassette.json (7 steps, success)\n')
  expect(demo.out).toContain('wrote demo/error.cassette.json (3 steps, error)\n')
  expect(trace('demo/error.cassette.json').steps.at(-1)?.payload).toEqual({
    event: 'run_failed',
    status: 'error',
    reason: 'unknown_tool',
    toolName: 'wrapGift',
  })
  const file = 'demo/success.cassette.json'
  await run('fork', file, '--at', '3', '--set', '{"status":"delivered"}', '--out', 'demo/child.json')
  expect(trace('demo/child.json').steps).toHaveLength(7)
  const diff = await run('diff', file, 'demo/child.json', '--json')
  expect(JSON.parse(diff.out)).toMatchObject({
    firstDivergence: 3,
    outcome: { verdict: 'same final status (success), but the final answer changed' },
  })
})

test('demo takes one scenario, and no other', async () => {
  expect((await run('demo', '--scenario', 'error')).out).toContain('wrote retake-demo/error.cassette.json')
  expect(await run('demo', '--scenario', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('success, error or all'),
  })
})

test('check runs every stage in memory and says that it works', async () => {
  const { code, out } = await run('check')
  expect(code).toBe(0)
  expect(out.split('\n').map((line) => line.trim().split(/ {2,}/).slice(0, 2).join(' '))).toEqual([
    'record pass',
    'verify pass',
    'fork pass',
    'verify fork pass',
    'diff pass',
    '',
    'retake works here',
    '',
  ])
  const { pass, stages } = JSON.parse((await run('check', '--json')).out)
  expect([pass, stages.length]).toEqual([true, 5])
})
