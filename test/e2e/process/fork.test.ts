import { expect, test } from 'vitest'
import { createAgentProject, plainAgent, refundReplies, terminalOf, traceOf } from './agent-project.ts'

/** Its tool is wrapped, so that its result is a step. */
const agentWithTool = `
import { createSession } from 'retake'
const session = createSession()
globalThis.lookup = session.tool('lookup', async () => 'late')
${plainAgent.replace("import OpenAI from 'openai'", "const { default: OpenAI } = await import('openai')")}
`
const command = ['--', 'node', 'agent.mjs']

test('a fork is the recording up to the step, the new result there, and what the script says after it', async () => {
  await using agent = await createAgentProject({
    'agent.mjs': agentWithTool,
    'script.json': JSON.stringify(['It was delivered.']),
    'result.json': JSON.stringify('delivered'),
  })
  await agent.retake(['record', '--out', 'a.json', ...command])
  await agent.provider.stop()
  const fork = ['fork', 'a.json', '--at', '3', '--script', 'script.json', '--out', 'b.json']
  const forked = await agent.retake([...fork, '--set', '@result.json', '--id', 'what-if', ...command], {
    OPENAI_API_KEY: '',
  })
  expect(forked).toMatchObject({ exitCode: 0, stdout: 'It was delivered.\n' })
  expect(forked.stderr).toContain(
    'wrote b.json (7 steps, success); steps 0–2 are copied, step 3 is your new result\nnext: retake diff a.json b.json\n',
  )
  const parent = traceOf(forked, 'a.json')
  const child = traceOf(forked, 'b.json')
  expect(child).toMatchObject({ id: 'what-if', parentId: parent.id, forkedFromStepId: parent.steps[3]?.id })
  expect(child.steps.slice(0, 3)).toEqual(parent.steps.slice(0, 3))
  expect(child.steps[3]).toMatchObject({
    payload: { toolCallId: 'call-0', toolName: 'lookup', result: 'delivered' },
    timestamp: parent.steps[3]?.timestamp,
    prevHash: parent.steps[2]?.hash,
  })
  expect(terminalOf(child)).toMatchObject({ result: 'It was delivered.' })
  const diff = await agent.retake(['diff', 'a.json', 'b.json', '--json'])
  expect(JSON.parse(diff.stdout)).toMatchObject({ firstDivergence: 3 })
})

test('a fork goes on live, and a changed agent does not come to its fork point', async () => {
  await using agent = await createAgentProject({ 'agent.mjs': agentWithTool }, [...refundReplies, refundReplies[1]])
  await agent.retake(['record', '--out', 'a.json', ...command])
  const live = await agent.retake(['fork', 'a.json', '--at', '3', '--set', '"lost"', '--live', ...command])
  expect(live.exitCode).toBe(0)
  expect(agent.provider.requests).toHaveLength(3)
  expect(JSON.stringify(traceOf(live, 'a.fork.cassette.json').steps[4])).toContain('lost')
  const other = await agent.retake(['fork', 'a.json', '--at', '3', '--out', 'c.json', '--live', ...command], {
    PROMPT: 'Another one.',
  })
  expect(other.exitCode).toBe(1)
  expect(other.stderr).toContain('request 1 of 1 differs from the cassette in its system prompt')
  expect(Object.keys(other.files)).not.toContain('c.json')
})
