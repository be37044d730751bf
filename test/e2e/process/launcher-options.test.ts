import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatReply } from '../../support/fake-provider/chat.ts'
import { command, createAgentProject, plainAgent, refundReplies, terminalOf, traceOf } from './agent-project.ts'

/** Stands for an agent in another language: nothing of retake, no `fetch`. It fails without a key, as SDKs do. */
const stranger = `
import { request } from 'node:http'
if (process.env.NODE_OPTIONS || process.env.RETAKE || process.env.RETAKE_REPORT) throw new Error('it knows of retake')
if (!process.env.OPENAI_API_KEY) throw new Error('no key')
const sent = request(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
})
sent.end(JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: process.env.QUESTION ?? 'Where is A-77?' }] }))
sent.on('response', async (response) => {
  let text = ''
  for await (const piece of response) text += piece
  console.log(response.statusCode, JSON.parse(text).choices?.[0].message.content)
  process.exit(Number(process.env.CODE ?? 0))
})
`
const ofStranger = ['--base-url', 'openai', '--', 'node', 'stranger.mjs']

describe('--base-url', () => {
  test('an agent in another language is recorded and replayed by the variable that its client reads', async () => {
    await using agent = await createAgentProject({ 'stranger.mjs': stranger }, [chatReply({ content: 'It is late.' })])
    const recorded = await agent.retake(['record', '--out', 'a.cassette.json', ...ofStranger])
    expect(recorded).toMatchObject({
      exitCode: 0,
      stdout: '200 It is late.\n',
      stderr: 'wrote a.cassette.json (3 steps, success)\n',
    })
    expect(terminalOf(traceOf(recorded, 'a.cassette.json'))).toMatchObject({ result: 'It is late.' })

    await agent.provider.stop()
    const replay = ['replay', 'a.cassette.json', ...ofStranger]
    expect(await agent.retake(replay, { OPENAI_API_KEY: '' })).toMatchObject({
      exitCode: 0,
      stdout: '200 It is late.\n',
      stderr: 'PASS replayed 3 steps from a.cassette.json with no network calls (success)\n',
    })
    const other = await agent.retake(replay, { QUESTION: 'Where is B-12?' })
    expect(other).toMatchObject({ exitCode: 1, stdout: '400 undefined\n' })
    expect(other.stderr).toContain('request 1 of 1 differs from the cassette in message 1')
    expect(other.stderr).toContain('npx retake record --out a.cassette.json --base-url openai -- node stranger.mjs')
  })

  test('its exit code is that of the command, and the end of the run', async () => {
    await using agent = await createAgentProject({ 'stranger.mjs': stranger }, [chatReply({ content: 'It is late.' })])
    const failed = await agent.retake(['record', '--out', 'a.cassette.json', ...ofStranger], { CODE: '7' })
    expect(failed.exitCode).toBe(7)
    expect(terminalOf(traceOf(failed, 'a.cassette.json'))).toMatchObject({ reason: 'process_exit', exitCode: 7 })
  })

  test('what is no provider, or has no variable, is refused before anything runs', async () => {
    await using agent = await createAgentProject({ 'stranger.mjs': stranger })
    for (const [value, message] of [
      ['opnai', /^retake: baseURL takes the name of a provider .*, not "opnai"\n$/],
      ['mistral', /^retake: the clients of mistral read their base URL from no variable.*\n.*MY_BASE_URL=mistral\n$/],
      ['openai,', /^retake: --base-url takes a list with commas between/],
    ] as const) {
      const refused = await agent.retake(['record', '--base-url', value, '--', 'node', 'stranger.mjs'])
      expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(message) })
    }
    const unused = await agent.retake(['record', '--base-url', 'X=mistral', '--', 'node', '-e', '0'])
    expect(unused.exitCode).toBe(1)
    expect(unused.stderr).toContain('asked no model at the base URL')
    expect(agent.provider.requests).toEqual([])
  })
})

/** Asks a page, each time by another URL, before it asks the model. The name leads to this machine and is no loopback. */
const reader = `
import dns from 'node:dns'
const byName = dns.lookup
dns.lookup = (host, ...rest) => byName(host === 'page.test' ? '127.0.0.1' : host, ...rest)
await fetch(process.env.PAGE + '?at=' + process.hrtime.bigint()).then((got) => got.text())
${plainAgent}`

async function startPage() {
  let visits = 0
  const server = createServer((_, response) => response.end(`visit ${++visits}`)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `page.test:${(server.address() as AddressInfo).port}`
  return { host, visits: () => visits, [Symbol.dispose]: () => server.close().closeAllConnections() }
}

test('a page that is never the same fails the replay with the flag that leaves its host alone', async () => {
  using page = await startPage()
  await using agent = await createAgentProject({ 'agent.mjs': reader }, [...refundReplies, ...refundReplies])
  const env = { PAGE: `http://${page.host}/` }
  const retake = (...argv: string[]) => agent.retake([...argv, '--', ...command], env)
  expect(await retake('record', '--out', 'a.json')).toMatchObject({ exitCode: 0 })
  const other = await retake('replay', 'a.json')
  expect(other.exitCode).toBe(1)
  expect(other.stderr).toContain(`--allow ${page.host}, while recording too`)

  const allow = ['--allow', page.host]
  expect(await retake('record', '--out', 'a.json', ...allow)).toMatchObject({ exitCode: 0 })
  expect(await retake('replay', 'a.json', ...allow)).toMatchObject({ exitCode: 0 })
  expect(page.visits()).toBe(3)
})

test('--http block refuses what is for no model', async () => {
  using page = await startPage()
  await using agent = await createAgentProject({ 'agent.mjs': reader })
  const env = { PAGE: `http://${page.host}/` }
  const blocked = await agent.retake(['record', '--http', 'block', '--', ...command], env)
  expect(blocked.exitCode).toBe(1)
  expect(blocked.stderr).toContain(page.host)
  expect(page.visits()).toBe(0)
  expect(await agent.retake(['record', '--http', 'never', '--', ...command])).toMatchObject({
    exitCode: 2,
    stderr: 'retake: --http takes record, allow or block (see retake record --help)\n',
  })
})

test('--review leaves the file, and the recording waits beside it', async () => {
  await using agent = await createAgentProject(undefined, [...refundReplies, ...refundReplies])
  const record = ['record', '--review', '--out', 'a.cassette.json', '--', ...command]
  const first = await agent.retake(record)
  expect(first.stderr).toBe('wrote a.cassette.json (5 steps, success)\n')
  const before = first.files['a.cassette.json']
  const second = await agent.retake(record, { PROMPT: 'Be brief.' })
  expect(second).toMatchObject({ exitCode: 0, stderr: 'a take of a.cassette.json waits: npx retake review\n' })
  expect(second.files['a.cassette.json']).toBe(before)
  const accepted = await agent.retake(['accept', 'a.cassette.json'])
  expect(accepted).toMatchObject({ exitCode: 0 })
  expect(accepted.files['a.cassette.json']).toContain('Be brief.')
  expect(await agent.retake(['record', '--review', '--out', 'a.json', '--', ...command])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--review needs a cassette that is named ….cassette.json, not a.json'),
  })
})

test('a file that could not be written is refused before the agent runs', async () => {
  await using agent = await createAgentProject()
  for (const [out, why] of [
    ['node_modules', 'it is a folder'],
    ['agent.mjs/a.cassette.json', 'a part of its path is no folder'],
  ] as const) {
    const refused = await agent.retake(['record', '--out', out, '--', ...command])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(`retake: the cassette cannot be written: ${why}\n`)
  }
  expect(agent.provider.requests).toEqual([])
})

/** The agent that was recorded in Python, in JavaScript. */
const weatherAgent = `
import OpenAI from 'openai'
import { createSession } from 'retake'
const session = createSession()
const { get_weather } = session.tools({ get_weather: async () => 'live' })
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'Weather of a city.', parameters } }]
const messages = [
  { role: 'system', content: 'You answer questions about the weather.' },
  { role: 'user', content: 'How warm is it in Paris?' },
]
for (;;) {
  const request = { model: 'gpt-4o-mini', messages, tools, temperature: 0.2 }
  const { choices: [{ message }] } = await new OpenAI().chat.completions.create(request)
  messages.push(message)
  if (!message.tool_calls) { console.log(message.content); break }
  for (const call of message.tool_calls) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: await get_weather(JSON.parse(call.function.arguments)) })
  }
}
`

test('a recording of another tool is replayed and forked like a cassette', async () => {
  const recorded = join(import.meta.dirname, '../../corpus/backspin/written-by-python.backspin.jsonl')
  const files = {
    'run.jsonl': await readFile(recorded, 'utf8'),
    'agent.mjs': weatherAgent,
    'then.json': '["It is cold."]',
  }
  await using agent = await createAgentProject(files)
  const replayed = await agent.retake(['replay', 'run.jsonl', '--', ...command])
  expect(replayed).toMatchObject({ exitCode: 0, stdout: 'It is 22 °C and sunny in Paris.\n' })

  const fork = ['fork', 'run.jsonl', '--at', '6', '--set', '"2C, snow"', '--script', 'then.json', '--out', 'cold.json']
  const forked = await agent.retake([...fork, '--', ...command])
  expect(forked).toMatchObject({ exitCode: 0, stdout: 'It is cold.\n' })
  const child = traceOf(forked, 'cold.json')
  expect(child).toMatchObject({ parentId: '9f31c2ab77e0' })
  expect(child.steps[6]?.payload).toMatchObject({ toolName: 'get_weather', result: '2C, snow' })
  expect(agent.provider.requests).toEqual([])
})
