import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startFakeProvider } from './fake-provider.ts'
import { parseTraffic, readTraffic, trafficReply } from './traffic.ts'

const line = (over: object = {}) =>
  JSON.stringify({
    run: 'a.yaml',
    turn: 0,
    provider: 'openai',
    endpoint: 'chat.completions',
    streaming: false,
    request: { method: 'POST', url: 'https://api.openai.com/v1/x', headers: {}, body: {}, body_encoding: 'json' },
    response: { status: 200, headers: {}, body: { ok: true }, body_encoding: 'json' },
    ...over,
  })

test('reads exchanges, also zipped, and skips empty lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'traffic-'))
  const path = join(folder, 'a.jsonl.gz')
  await writeFile(path, gzipSync(`${line()}\n\n${line({ turn: 1 })}\n`))
  expect((await readTraffic(path)).map(({ turn }) => turn)).toEqual([0, 1])
  await rm(folder, { recursive: true })
})

test.each([
  ['{"run": ', 'line 2: is no JSON'],
  ['[]', 'line 2: is no JSON object'],
  [line({ turn: '0' }), 'line 2: turn is no number'],
  [line({ response: null }), 'line 2: response is not {status, headers, body, …}'],
  [line({ request: { method: 'POST' } }), 'line 2: request is not {method, url, headers, body, …}'],
])('names the broken line: %s', (broken, message) => {
  expect(() => parseTraffic(`${line()}\n${broken}`)).toThrow(message)
})

test('gives back status, headers and bytes of an exchange', async () => {
  const text = 'data: {"text":"ünïcode 🙂"}\n\n'.repeat(100)
  const [exchange] = parseTraffic(
    line({
      response: {
        status: 203,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'transfer-encoding': 'chunked', 'x-id': '7' },
        body: text,
        body_encoding: 'text',
      },
    }),
  )
  if (exchange === undefined) throw new Error('no exchange')
  await using provider = await startFakeProvider({ replies: [trafficReply(exchange, 7)] })
  const response = await fetch(`${provider.url}/v1/chat/completions`, { method: 'POST' })
  expect(await response.text()).toBe(text)
  expect([response.status, response.headers.get('x-id'), response.headers.get('content-type')]).toEqual([
    203,
    '7',
    'text/event-stream; charset=utf-8',
  ])
})

test('runs as a process of its own and prints its URL', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--port', '0'])
  try {
    const url = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(`${data}`.trim())))
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{}' })
    expect((await response.json()).content[0].text).toBe('This is the fake provider.')
  } finally {
    child.kill()
  }
})
