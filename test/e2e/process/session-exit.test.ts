import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatReply } from '../../support/fake-provider/chat.ts'
import type { Scripted } from '../../support/fake-provider/reply.ts'
import { createAgentProject, plainAgent, refundReplies, terminalOf, traceOf, typesOf } from './agent-project.ts'

/** The agent with its tool wrapped by a session of its own, and something around it. */
const sessionAgent = (tool: string, after = ''): string => `
import { createSession } from 'retake'
const session = createSession({ cassette: 'a.json' })
globalThis.lookup = session.tool('lookup', ${tool})
${plainAgent.replace("import OpenAI from 'openai'", "const { default: OpenAI } = await import('openai')")}
${after}
`

const recordAndReplay = async (agent: string) => {
  await using project = await createAgentProject({ 'agent.mjs': agent })
  const recorded = await project.run(['node', 'agent.mjs'])
  await project.provider.stop()
  return { recorded, replayed: await project.run(['node', 'agent.mjs']) }
}

const runAgent = async (agent: string, replies: Scripted[] = refundReplies) => {
  await using project = await createAgentProject({ 'agent.mjs': agent }, replies)
  return { recorded: await project.run(['node', 'agent.mjs']) }
}

describe('Terminal Metadata Payloads of a process', () => {
  test('finish() without anything: the last answer is the result', async () => {
    const { recorded, replayed } = await recordAndReplay(
      sessionAgent("async () => 'late'", 'console.log(JSON.stringify(await session.finish()))'),
    )
    const trace = traceOf(recorded, 'a.json')
    expect(typesOf(trace)).toEqual([
      'model_input',
      'model_output',
      'tool_call',
      'tool_result',
      'model_input',
      'model_output',
      'metadata',
    ])
    expect(terminalOf(trace)).toEqual({ event: 'run_completed', status: 'success', result: 'It is late.' })
    expect(JSON.parse(recorded.stdout.split('\n')[1] ?? '')).toMatchObject({
      mode: 'record',
      steps: 7,
      status: 'success',
    })
    expect(JSON.parse(replayed.stdout.split('\n')[1] ?? '')).toMatchObject({ mode: 'replay', replayedSteps: 7 })
  })

  test('finish({ error }): agent_error, and a replay must end with it', async () => {
    const end = "await session.finish({ error: new Error(process.env.WHY ?? 'no money, and toolu_01A') })"
    await using agent = await createAgentProject({ 'agent.mjs': sessionAgent("async () => 'late'", end) })
    const recorded = await agent.run(['node', 'agent.mjs'])
    expect(terminalOf(traceOf(recorded, 'a.json'))).toMatchObject({ reason: 'agent_error', status: 'error' })
    expect(recorded.files['a.json']).not.toContain('toolu_01A')
    expect(await agent.run(['node', 'agent.mjs'])).toMatchObject({ exitCode: 0 })
    const other = await agent.run(['node', 'agent.mjs'], { WHY: 'no time' })
    expect(other.exitCode).toBe(1)
    expect(other.stderr).toContain('the run ended otherwise than recorded: another message')
  })

  test('process.exit in a wrapped tool: calls_in_flight, which no replay gets beyond', async () => {
    const { recorded, replayed } = await recordAndReplay(sessionAgent('async () => process.exit(4)'))
    expect(replayed).toMatchObject({ exitCode: 1 })
    expect(replayed.stderr).toContain('tool "lookup" was called, but the recording has no call of it')
    expect(replayed.stderr).toContain('The recorded process ended while calls were running')
    expect(recorded.exitCode).toBe(4)
    const trace = traceOf(recorded, 'a.json')
    expect(typesOf(trace)).toEqual(['model_input', 'model_output', 'metadata'])
    expect(terminalOf(trace)).toEqual({
      event: 'run_failed',
      status: 'error',
      reason: 'calls_in_flight',
      exitCode: 4,
      inFlight: 1,
    })
  })

  test('an unhandled rejection: process_exit 1, recorded and replayed', async () => {
    const { recorded, replayed } = await recordAndReplay(
      sessionAgent("async () => 'late'", "Promise.reject(new Error('nobody waits'))"),
    )
    expect(recorded.exitCode).toBe(1)
    expect(recorded.stderr).toContain('nobody waits')
    expect(terminalOf(traceOf(recorded, 'a.json'))).toMatchObject({ reason: 'process_exit', exitCode: 1 })
    expect(replayed).toMatchObject({ exitCode: 1 })
    expect(replayed.stderr).not.toContain('[retake]')
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s while the model is asked: calls_in_flight, and the signal ends the process', async (signal, exitCode) => {
    const tool = `async () => { setTimeout(() => process.kill(process.pid, '${signal}'), 300); return 'late' }`
    const [asksForTool] = refundReplies
    const { recorded } = await runAgent(sessionAgent(tool), [asksForTool, () => new Promise(() => {})])
    expect(recorded.exitCode).toBe(null)
    const trace = traceOf(recorded, 'a.json')
    expect(typesOf(trace)).toEqual(['model_input', 'model_output', 'tool_call', 'tool_result', 'metadata'])
    expect(terminalOf(trace)).toMatchObject({ reason: 'calls_in_flight', exitCode, inFlight: 1 })
  })

  test('a signal that comes again while the recording is written loses nothing', async () => {
    // Ctrl-C reaches every process of a terminal, and npx and the command pass it on.
    const again =
      "spawn('sh', ['-c', 'for i in 1 2 3 4 5 6 7 8; do kill -INT $1; sleep 0.02; done', 'sh', String(process.pid)])"
    const { recorded } = await runAgent(
      `import { spawn } from 'node:child_process'\n${sessionAgent(`async () => { ${again}; await new Promise(() => {}) }`)}`,
    )
    expect(terminalOf(traceOf(recorded, 'a.json'))).toMatchObject({ reason: 'calls_in_flight', exitCode: 130 })
  })

  test('SIGINT while nothing runs: process_exit 130; who listens decides what it means', async () => {
    const quiet = await runAgent(
      sessionAgent(
        "async () => 'late'",
        "process.kill(process.pid, 'SIGINT'); await new Promise(() => setTimeout(() => {}, 5000))",
      ),
    )
    expect(terminalOf(traceOf(quiet.recorded, 'a.json'))).toMatchObject({ reason: 'process_exit', exitCode: 130 })
    const handled = await runAgent(
      sessionAgent(
        "async () => 'late'",
        "process.on('SIGINT', () => process.exit(0)); process.kill(process.pid, 'SIGINT'); await new Promise(() => setTimeout(() => {}, 5000))",
      ),
    )
    expect(handled.recorded.exitCode).toBe(0)
    expect(terminalOf(traceOf(handled.recorded, 'a.json'))).toMatchObject({ event: 'run_completed' })
  })
})

describe('nothing is written', () => {
  const nothing = async (agent: string, replies: Scripted[] = refundReplies) => {
    const { recorded } = await runAgent(agent, replies)
    expect(Object.keys(recorded.files)).not.toContain('a.json')
    return recorded
  }

  test('by a session without a model call', async () => {
    expect(
      await nothing("import { createSession } from 'retake'\ncreateSession({ cassette: 'a.json' })"),
    ).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
  })

  test('by finish() while a tool runs', async () => {
    const { exitCode, stderr } = await nothing(
      sessionAgent(
        'async () => { await session.finish().catch((error) => { console.error(error.message); process.exit(6) }) }',
      ),
    )
    expect(exitCode).toBe(6)
    expect(stderr).toContain('tool "lookup"')
  })

  test('where the recording holds a key, also at exit', async () => {
    const { exitCode, stderr } = await nothing(
      plainAgent.replace(
        "import OpenAI from 'openai'",
        "import OpenAI from 'openai'\nimport { createSession } from 'retake'\ncreateSession({ cassette: 'a.json' })",
      ),
      [chatReply({ content: 'Your key is sk-sample-key-of-a-test.' })],
    )
    expect(exitCode).toBe(1)
    expect(stderr).toContain('[retake]')
    expect(stderr).not.toContain('sk-sample-key-of-a-test')
  })
})

const lateTest = (runner: string, context: string) => `
import OpenAI from 'openai'
import { withCassette } from 'retake'
${runner}
const ask = (content) =>
  new OpenAI({ maxRetries: 0 }).chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content }] })
test('does not wait', async function (${context}) {
  await withCassette(${context || 'this'}, async () => {
    await ask('awaited')
    if (process.env.LATE) setTimeout(() => ask('late').catch(() => {}), 50)
  })
  await new Promise((done) => setTimeout(done, 300))
})
`

test.each([
  ['node:test', ['node', '--test', 'a.test.mjs'], lateTest("import { test } from 'node:test'", 't')],
  [
    'Mocha',
    ['node', resolve(import.meta.dirname, '../../../node_modules/mocha/bin/mocha.js'), 'a.test.mjs'],
    lateTest('const test = it', ''),
  ],
])(
  '%s hears of a call that its test did not wait for, although the agent swallows the refusal',
  async (_, argv, text) => {
    await using agent = await createAgentProject({ 'a.test.mjs': text }, [refundReplies[1]])
    expect(await agent.run(argv)).toMatchObject({ exitCode: 0 })
    const late = await agent.run(argv, { LATE: '1' })
    expect(late.exitCode).toBeGreaterThan(0)
    expect(late.stdout + late.stderr).toContain('the test "does not wait" made a model request after it had ended')
    expect(agent.provider.requests).toHaveLength(1)
  },
)

test('finish() gives the same again, takes no result and error together, and ends the session', async () => {
  const { recorded } = await runAgent(
    sessionAgent(
      "async () => 'late'",
      `
const both = await session.finish({ result: 'a', error: 'b' }).catch((error) => error.code)
const [one, two] = [await session.finish({ result: 'Refunded.' }), await session.finish()]
const late = await session.fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'late' }] }) })
let tool
try { await globalThis.lookup({}) } catch (error) { tool = error.code }
console.log(JSON.stringify([both, one === two, late.status, tool]))`,
    ),
  )
  expect(JSON.parse(recorded.stdout.split('\n')[1] ?? '')).toEqual(['RETAKE_CONFIG', true, 400, 'RETAKE_LATE_REQUEST'])
  expect(terminalOf(traceOf(recorded, 'a.json'))).toMatchObject({ result: 'Refunded.' })
})

describe('a session of code that the command starts', () => {
  test('takes the place of the preloaded one', async () => {
    const agent = sessionAgent("async () => 'late'").replace("{ cassette: 'a.json' }", '')
    await using project = await createAgentProject({ 'agent.mjs': agent })
    const recorded = await project.retake(['record', '--out', 'b.json', '--', 'node', 'agent.mjs'])
    expect(recorded.stderr).toBe(
      'wrote b.json (7 steps, success)\nsession.finish() was not called; how the run ended was told by its exit\n',
    )
    expect(await project.retake(['replay', 'b.json', '--', 'node', 'agent.mjs'])).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ["{ cassette: 'a.json' }", 'cassette'],
    ["{ mode: 'off' }", 'mode'],
  ])('may not override it with %s', async (options, named) => {
    const agent = sessionAgent("async () => 'late'").replace("{ cassette: 'a.json' }", options)
    await using project = await createAgentProject({ 'agent.mjs': agent })
    const { exitCode, stderr, files } = await project.retake(['record', '--out', 'b.json', '--', 'node', 'agent.mjs'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`retake record: the options of createSession override the CLI: ${named}`)
    expect(Object.keys(files)).not.toContain('b.json')
  })
})
