import { existsSync } from 'node:fs'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { FakeReply } from '../support/fake-provider/reply.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { recordAndReplay } from './record-and-replay.ts'

const answer = String(chatJson({ content: 'Hi' }).body)
const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
const ask = (member = '"temperature":1') => `{"model":"m","messages":[{"role":"user","content":"Hi"}],${member}}`

const post = async (url: string, body = ask()) => {
  const headers = { authorization: 'Bearer key-for-tests', 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  return (await response.json()) as {
    choices?: { message: { content: string } }[]
    usage?: object
    error?: { message: string }
  }
}

const twice = (reply: FakeReply, body?: string) => recordAndReplay([reply], (url) => post(url, body))

const json = (body: string | Uint8Array, headers = {}): FakeReply => ({
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

test.each<[string, FakeReply, string?]>([
  ['a lone surrogate', json(answer.replace('Hi', 'a\\ud800b'))],
  ['a NUL', json(answer.replace('Hi', 'a\\u0000b'))],
  ['a byte order mark', json(`\uFEFF${answer}`)],
  ['bytes that are no UTF-8', json(Buffer.from(answer.replace('Hi', 'H\u00FF'), 'latin1'))],
  ['a member __proto__', json(answer.replace('{', '{"__proto__":{"a":1},'))],
  ['a member twice', json(answer.replace('{', '{"note":1,"note":2,'))],
  ['gzip', json(gzipSync(answer), { 'content-encoding': 'gzip' })],
  ['brotli', json(brotliCompressSync(answer), { 'content-encoding': 'br' })],
  ['deflate', json(deflateSync(answer), { 'content-encoding': 'deflate' })],
  ['two encodings', json(brotliCompressSync(gzipSync(answer)), { 'content-encoding': 'gzip, br' })],
  // The fetch of older Nodes does not read it.
  ...(Number.parseInt(process.versions.node, 10) >= 24
    ? [['zstd', json(zstdCompressSync(answer), { 'content-encoding': 'zstd' })] as [string, FakeReply]]
    : []),
  ['an error nested without end', { ...json(`{"error":{"message":"No.","deep":${deep}}}`), status: 400 }],
  ['a lone surrogate in the request', json(answer), ask('"user_note":"a\\ud800b"')],
  ['a member __proto__ in the request', json(answer), ask('"__proto__":{"a":1}')],
])('a body with %s comes back as it was', async (_, reply, body) => {
  const { recorded, replayed } = await twice(reply, body)
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  const { choices, error } = recorded.value ?? {}
  expect(replayed.value?.choices?.[0]?.message.content).toBe(choices?.[0]?.message.content)
  expect(replayed.value?.error?.message).toBe(error?.message)
})

test.each([
  ['less than none', -5],
  ['half a token', 1.5],
  ['more than a double counts', 2 ** 60],
])('counts of %s are no reason to record nothing', async (_, count) => {
  const { recorded, replayed } = await twice(
    json(JSON.stringify({ ...JSON.parse(answer), usage: { prompt_tokens: count } })),
  )
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(replayed.value?.usage).toMatchObject({ prompt_tokens: count })
})

test.each<[string, FakeReply, string?]>([
  ['a reply nested without end', json(answer.replace('{', `{"deep":${deep},`))],
  ['a reply with a number out of range', json(answer.replace('{', '{"large":1e400,'))],
  ['a request nested without end', json(answer), ask(`"deep":${deep}`)],
  ['a request with a number out of range', json(answer), ask('"seed":1e400')],
])('%s is refused with one typed error, and nothing is written', async (_, reply, body) => {
  await using provider = await startFakeProvider({ replies: [reply] })
  await using file = await temporaryCassette()
  const { result } = await inTest(file.path, {}, () => post(provider.url, body))
  expect(result.errors).toMatchObject([{ code: 'RETAKE_UNSUPPORTED' }])
  expect(result.errors[0]?.message).toContain('no cassette can hold')
  expect(existsSync(file.path)).toBe(false)
})
