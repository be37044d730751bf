import { expect, test } from 'vitest'
import { anthropicReply } from '../../support/fake-provider/anthropic.ts'
import { chatStream } from '../../support/fake-provider/chat.ts'
import { createAgentProject, terminalOf, traceOf, typesOf } from './agent-project.ts'

/** Stands for a program in another language: no preload, nothing of retake, plain HTTP. It prints the pieces as they came. */
const client = `
import { request } from 'node:http'
const [url, body] = process.argv.slice(2)
const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer k-of-the-client-0001' } })
sent.end(body)
sent.on('error', (error) => { console.log(error.code); process.exit(1) })
sent.on('response', async (response) => {
  const pieces = []
  for await (const piece of response) pieces.push(String(piece))
  console.log(JSON.stringify({ status: response.statusCode, type: response.headers['content-type'], pieces }))
})
`

const parent = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createSession } from 'retake'
const session = createSession({ cassette: 'a.json' })
const { NODE_OPTIONS: _, ...env } = process.env
const ask = async (url, body) => {
  const child = spawn(process.execPath, ['client.mjs', url, JSON.stringify(body)], { env, stdio: 'inherit' })
  await once(child, 'exit')
}
const messages = [{ role: 'user', content: process.env.QUESTION ?? 'Where is A-77?' }]
await ask(await session.baseURL('openai') + '/chat/completions', { model: 'gpt-5', stream: true, messages })
await ask(await session.baseURL('anthropic') + '/v1/messages', { model: 'claude-sonnet-5', max_tokens: 9, messages })
await session.finish()
`

interface Seen {
  status: number
  type: string
  pieces: string[]
}

test('programs in other processes are recorded and replayed by their base URL, and streams come as they come', async () => {
  const replies = [
    chatStream({ content: 'It is late.' }, { pieces: 3, pauseMs: 100 }),
    anthropicReply({ content: [{ type: 'text', text: 'Very late.' }] }),
  ]
  await using agent = await createAgentProject({ 'client.mjs': client, 'parent.mjs': parent }, replies)
  const run = (env: Record<string, string> = {}) =>
    agent.run(['node', 'parent.mjs'], { ANTHROPIC_BASE_URL: agent.provider.url, ...env })

  const recorded = await run()
  expect(recorded).toMatchObject({ exitCode: 0, stderr: '' })
  const [stream, json] = recorded.stdout
    .trim()
    .split('\n')
    .map((line): Seen => JSON.parse(line))
  expect(stream).toMatchObject({ status: 200, type: 'text/event-stream' })
  expect(stream?.pieces.length).toBeGreaterThan(3)
  expect(json?.pieces.join('')).toContain('Very late.')
  expect(agent.provider.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill('Bearer k-of-the-client-0001'),
  )

  const trace = traceOf(recorded, 'a.json')
  expect(typesOf(trace)).toEqual(['model_input', 'model_output', 'model_input', 'model_output', 'metadata'])
  expect(terminalOf(trace)).toMatchObject({ result: 'Very late.' })

  await agent.provider.stop()
  const replayed = await run()
  expect(replayed).toMatchObject({ exitCode: 0, stderr: '' })
  const [again] = replayed.stdout
    .trim()
    .split('\n')
    .map((line): Seen => JSON.parse(line))
  expect(again).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/event-stream/) })
  const said = [...(again?.pieces.join('') ?? '').matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text)
  expect(said.join('')).toBe('It is late.')

  const changed = await run({ QUESTION: 'Where is A-78?' })
  expect(changed.exitCode).toBe(1)
  expect(changed.stdout).toContain('"status":400')
  expect(changed.stderr).toContain('request 1 of 2 differs from the cassette')
})

test('a provider that is down is down behind the door too, and an unknown name is refused', async () => {
  const files = {
    'client.mjs': client,
    'parent.mjs': parent,
    'names.mjs':
      "import { createSession } from 'retake'\nawait createSession({ cassette: 'a.json' }).baseURL('opnai').catch((error) => console.log(error.message))",
  }
  await using agent = await createAgentProject(files)
  await agent.provider.stop()
  const down = await agent.run(['node', 'parent.mjs'], { ANTHROPIC_BASE_URL: agent.provider.url })
  expect(down.stdout).toBe('ECONNRESET\nECONNRESET\n')
  const { stdout } = await agent.run(['node', 'names.mjs'])
  expect(stdout).toMatch(/^baseURL takes the name of a provider \(openai, .*\) or the URL of one, not "opnai"\n$/)
})
