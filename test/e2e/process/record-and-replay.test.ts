import { describe, expect, test } from 'vitest'
import { chatReply } from '../../support/fake-provider/chat.ts'
import {
  command,
  createAgentProject,
  plainAgent,
  refundReplies,
  terminalOf,
  traceOf,
  typesOf,
} from './agent-project.ts'

const own = '__cassettes__/node-agent-mjs.cassette.json'

test('an unchanged agent is recorded, replays offline, and a changed prompt shows', async () => {
  await using agent = await createAgentProject()
  const recorded = await agent.retake(['record', '--', ...command])
  expect(recorded).toMatchObject({ exitCode: 0, stdout: 'It is late.\n' })
  expect(recorded.stderr).toBe(`wrote ${own} (5 steps, success)\n`)
  const trace = traceOf(recorded, own)
  expect(typesOf(trace)).toEqual(['model_input', 'model_output', 'model_input', 'model_output', 'metadata'])
  expect(terminalOf(trace)).toEqual({ event: 'run_completed', status: 'success', result: 'It is late.' })

  await agent.provider.stop()
  const replayed = await agent.retake(['replay', '--', ...command], { OPENAI_API_KEY: '' })
  expect(replayed).toMatchObject({ exitCode: 0, stdout: 'It is late.\n' })
  expect(replayed.stderr).toBe(`PASS replayed 5 steps from ${own} with no network calls (success)\n`)

  const changed = await agent.retake(['replay', own, '--', ...command], { PROMPT: 'You are the rude agent.' })
  expect(changed.exitCode).toBe(1)
  expect(changed.stderr).toContain(
    [
      'retake replay: request 1 of 2 differs from the cassette in its system prompt',
      '',
      `  cassette  ${own}:6`,
      '  so far    1 ✗ user → …   2 · not reached',
      '',
      '  - Recorded    + Received',
      '    system',
      '    - You are the refund agent.',
      '    + You are the rude agent.',
      '  equal: model, 1 message, 1 tool',
      '',
      `  On purpose?  npx retake record --out ${own} -- node agent.mjs`,
    ].join('\n'),
  )
  expect(changed.files[own]).toBe(recorded.files[own])
})

test('a recording that says the same leaves the file alone, another one replaces it', async () => {
  await using agent = await createAgentProject(undefined, [...refundReplies, ...refundReplies, ...refundReplies])
  const first = await agent.retake(['record', '--out', 'a.json', '--id', 'run-a', '--', ...command])
  expect(traceOf(first, 'a.json').id).toBe('run-a')
  const second = await agent.retake(['record', '--out', 'a.json', '--', ...command])
  expect(second.stderr).toBe('unchanged: a.json (5 steps, success)\n')
  expect(second.files['a.json']).toBe(first.files['a.json'])
  const third = await agent.retake(['record', '--out', 'a.json', '--', ...command], { PROMPT: 'Be kind.' })
  expect(third.stderr).toBe('wrote a.json (5 steps, success)\n')
  expect(traceOf(third, 'a.json').id).toBe('run-a')
})

describe('exit codes', () => {
  test("the command's own is passed on, and its end is recorded and compared", async () => {
    const files = { 'agent.mjs': `${plainAgent}\nprocess.exit(Number(process.argv[2] ?? 3))` }
    await using agent = await createAgentProject(files)
    const recorded = await agent.retake(['record', '--out', 'a.json', '--', ...command])
    expect(recorded).toMatchObject({ exitCode: 3, stderr: 'wrote a.json (5 steps, error)\n' })
    expect(terminalOf(traceOf(recorded, 'a.json'))).toEqual({
      event: 'run_failed',
      status: 'error',
      reason: 'process_exit',
      exitCode: 3,
    })
    expect(await agent.retake(['replay', 'a.json', '--', ...command])).toMatchObject({
      exitCode: 3,
      stderr: 'PASS replayed 5 steps from a.json with no network calls (error)\n',
    })
    const other = await agent.retake(['replay', 'a.json', '--', ...command, '0'])
    expect(other.exitCode).toBe(1)
    expect(other.stderr).toContain(
      'the run ended otherwise than recorded\n\n  cassette  a.json:44\n\n  recorded  process_exit, exitCode 3\n',
    )
    expect(other.stderr).toContain('  now       success: "It is late."\n')
  })

  test('a session that fails makes 1 of a 0, and keeps another', async () => {
    const files = {
      'agent.mjs': plainAgent
        .replace('for (;;)', 'try { for (;;)')
        .concat('} catch {}\nprocess.exit(Number(process.argv[2] ?? 0))'),
    }
    await using agent = await createAgentProject(files)
    await agent.retake(['record', '--out', 'a.json', '--', ...command])
    const env = { PROMPT: 'Another one.' }
    expect(await agent.retake(['replay', 'a.json', '--', ...command], env)).toMatchObject({ exitCode: 1 })
    expect(await agent.retake(['replay', 'a.json', '--', ...command, '7'], env)).toMatchObject({ exitCode: 7 })
  })

  test('a command without a model call has no session to report', async () => {
    await using agent = await createAgentProject()
    const nothing = await agent.retake(['record', '--', 'node', '-e', '0'])
    expect(nothing).toMatchObject({ exitCode: 1, stdout: '' })
    expect(nothing.stderr).toContain('retake record: no Node process of the command made a model call')
    expect(Object.keys(nothing.files)).not.toContainEqual(expect.stringContaining('__cassettes__'))
    expect(await agent.retake(['record', '--', 'node', '-e', 'process.exit(9)'])).toMatchObject({ exitCode: 9 })
    expect(await agent.retake(['record', '--', 'no-such-program'])).toMatchObject({
      exitCode: 2,
      stderr: 'retake: there is no command "no-such-program"\n',
    })
  })

  test('a signal that ends the command is 128 and its number', async () => {
    await using agent = await createAgentProject()
    const killed = await agent.retake(['record', '--', 'node', '-e', "process.kill(process.pid, 'SIGKILL')"])
    expect(killed.exitCode).toBe(137)
    expect(killed.stderr).toContain('the command ended with exit code 137 before it made a model call')
  })

  test('a command that is killed after a model call is told so, and nothing is written', async () => {
    await using agent = await createAgentProject({
      'agent.mjs': `globalThis.lookup = async () => process.kill(process.pid, 'SIGKILL')\n${plainAgent}`,
    })
    const killed = await agent.retake(['record', '--out', 'a.json', '--', ...command])
    expect(killed).toMatchObject({
      exitCode: 137,
      stderr: 'retake record: the process that made the model calls was killed; nothing was written\n',
    })
    expect(Object.keys(killed.files)).not.toContain('a.json')
  })
})

describe('what must not leak', () => {
  const stale = {
    RETAKE: 'fork',
    RETAKE_FLAG: 'update',
    RETAKE_CASSETTE: 'stale.json',
    RETAKE_OUT: 'stale.json',
    RETAKE_ID: 'stale',
    RETAKE_FORK_AT: 'x',
    RETAKE_FORK_SET: '{',
    RETAKE_CONTINUE: 'x',
    RETAKE_SCRIPT: 'stale.json',
    RETAKE_MATCH: 'x',
    RETAKE_COMMAND: 'stale',
    RETAKE_REPORT: '/nowhere/report.json',
  }

  test('stale values of the launcher', async () => {
    await using agent = await createAgentProject()
    const recorded = await agent.retake(['record', '--out', 'a.json', '--', ...command], stale)
    expect(recorded).toMatchObject({ exitCode: 0, stderr: 'wrote a.json (5 steps, success)\n' })
    expect(traceOf(recorded, 'a.json').id).not.toBe('stale')
    expect(Object.keys(recorded.files)).not.toContain('stale.json')
    expect(await agent.retake(['replay', 'a.json', '--', ...command], stale)).toMatchObject({ exitCode: 0 })
  })

  test('a bad variable is named, and its value is not', async () => {
    await using agent = await createAgentProject()
    const run = await agent.run(['node', '--import', 'retake/register', 'agent.mjs'], {
      RETAKE_CASSETTE: 'a.json',
      RETAKE_MATCH: 'secret-value',
    })
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
    expect(run.stderr).toContain('RETAKE_MATCH must be "strict" or "sequence"')
    expect(run.stderr).not.toContain('secret-value')
  })
})

test('grandchildren are recorded too, but a cassette holds the run of one process', async () => {
  const files = {
    'agent.mjs': plainAgent,
    'npm.mjs':
      "import { execFileSync } from 'node:child_process'\nexecFileSync(process.execPath, ['agent.mjs'], { stdio: 'inherit' })\n",
  }
  await using agent = await createAgentProject(files, [...refundReplies, ...refundReplies, ...refundReplies])
  const nested = await agent.retake(['record', '--out', 'a.json', '--', 'node', 'npm.mjs'])
  expect(nested).toMatchObject({ exitCode: 0, stdout: 'It is late.\n', stderr: 'wrote a.json (5 steps, success)\n' })
  const twice = await agent.retake(['record', '--out', 'b.json', '--', 'node agent.mjs && node agent.mjs'])
  expect(twice.exitCode).toBe(1)
  expect(twice.stderr).toContain('retake record: two processes of this command made model calls')
  // The first of the two had written its recording already.
  expect(twice.files['b.json']).toBe(undefined)
  expect(twice.files['a.json']).toBe(nested.files['a.json'])
  const another = { PROMPT: 'Another one.' }
  const replaced = await agent.retake(['record', '--out', 'a.json', '--', 'node agent.mjs && node agent.mjs'], another)
  expect(replaced.exitCode).toBe(1)
  expect(replaced.files['a.json']).toBe(nested.files['a.json'])
})

test('--match sequence serves the replies in order, whatever is asked', async () => {
  await using agent = await createAgentProject()
  await agent.retake(['record', '--out', 'a.json', '--', ...command])
  const env = { PROMPT: 'Another one.' }
  expect(await agent.retake(['replay', 'a.json', '--match', 'sequence', '--', ...command], env)).toMatchObject({
    exitCode: 0,
    stdout: 'It is late.\n',
  })
  expect(await agent.retake(['replay', 'a.json', '--match', 'loose', '--', ...command])).toMatchObject({
    exitCode: 2,
    stderr: 'retake: --match takes strict or sequence (see retake replay --help)\n',
  })
})

test('an answer more than recorded, and one less, fail', async () => {
  const files = {
    'agent.mjs': plainAgent.replace(
      'break }',
      'if (process.env.STOP) break; process.env.STOP = 1; messages.push({ role: "user", content: "And A-78?" }); continue }',
    ),
  }
  await using agent = await createAgentProject(files, [...refundReplies, chatReply({ content: 'On time.' })])
  await agent.retake(['record', '--out', 'a.json', '--', ...command])
  const fewer = await agent.retake(['replay', 'a.json', '--', ...command], { STOP: '1' })
  expect(fewer.exitCode).toBe(1)
  expect(fewer.stderr).toContain('1 of 3 recorded requests unused')
})

test('without a command a replay shows the run', async () => {
  await using agent = await createAgentProject()
  await agent.retake(['record', '--out', 'a.json', '--', ...command])
  const shown = await agent.retake(['replay', 'a.json'])
  expect(shown.exitCode).toBe(0)
  expect(shown.stdout).toContain('outcome   success: It is late.')
  const { stdout } = await agent.retake(['replay', 'a.json', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', verify: { pass: true } })
})
