import { expect, test } from 'vitest'
import { describeRoute } from '../known-routes.ts'
import { endpoints, findEndpoint } from './endpoints.ts'
import { fromBase64Vector, toBase64Vector } from './vectors.ts'

// Made with `Buffer.from(new Float32Array([...]).buffer).toString('base64')` and by hand: 1 is 00 00 80 3f.
test('a vector in base64 is the numbers with the fewest digits that are the same floats', () => {
  expect(fromBase64Vector('AACAPwAAAL8=')).toEqual([1, -0.5])
  const floats = [0.1, -0.0069292835, 1.17549435e-38, 3.4028235e38, 0.002306425, 1 / 3, 0]
  const text = Buffer.from(new Float32Array(floats).buffer).toString('base64')
  expect(fromBase64Vector(text)).toEqual([0.1, -0.0069292835, 1.1754944e-38, 3.4028235e38, 0.002306425, 0.33333334, 0])
  expect(toBase64Vector(fromBase64Vector(text) ?? [])).toBe(text)
})

test('every float comes back', () => {
  const bits = new Uint32Array(20_000)
  for (let at = 0; at < bits.length; at++) bits[at] = Math.imul(at + 1, 2_654_435_761)
  const floats = [...new Float32Array(bits.buffer)].filter(Number.isFinite)
  const text = Buffer.from(new Float32Array(floats).buffer).toString('base64')
  expect(toBase64Vector(fromBase64Vector(text) ?? [])).toBe(text)
})

test.each(['', 'AACA', Buffer.from(new Float32Array([Number.NaN, -0]).buffer).toString('base64')])(
  'what are no floats that JSON can hold stays as it came: %j',
  (text) => {
    expect(fromBase64Vector(text)).toBeUndefined()
    const embeddings = findEndpoint('openai embeddings')
    const body = { data: [{ index: 0, embedding: text }] }
    expect(embeddings?.readResult(body, { encoding_format: 'base64' })).toEqual(body)
    expect(embeddings?.writeResult(body, { encoding_format: 'base64' })).toEqual(body)
  },
)

test('vectors that are no floats are left alone, and what asks for them is compared', () => {
  const embeddings = findEndpoint('openai embeddings')
  const request = { model: 'm', input: 'Hi', output_dtype: 'int8', encoding_format: 'base64', user: 'u' }
  const url = new URL('https://api.voyageai.com/v1/embeddings')
  expect(embeddings?.readInput(request, url)).toEqual({
    model: 'm',
    input: 'Hi',
    output_dtype: 'int8',
    encoding_format: 'base64',
  })
  const body = { data: [{ embedding: [1, 2] }] }
  expect(embeddings?.writeResult(body, request)).toEqual(body)
  // As Perplexity sends them, without being asked: whole numbers of 8 bits.
  const bytes = { data: [{ embedding: 'AACAPwAAAL8=' }] }
  expect(embeddings?.readResult(bytes, { model: 'm', input: 'Hi' })).toEqual(bytes)
  expect(embeddings?.writeResult(bytes, { model: 'm', input: 'Hi' })).toEqual(bytes)
})

test('each has the name of a route, and a model that stands in the path', () => {
  const urls: Record<string, string> = {
    'openai embeddings': 'https://x.openai.azure.com/openai/deployments/my%20small/embeddings?api-version=1',
    'openai moderations': 'https://api.openai.com/v1/moderations',
    'gemini embedContent': 'https://generativelanguage.googleapis.com/v1beta/models/e:embedContent',
    'gemini batchEmbedContents': 'https://generativelanguage.googleapis.com/v1beta/models/e:batchEmbedContents',
    'ollama embed': 'http://127.0.0.1:11434/api/embed',
    'cohere embed': 'https://api.cohere.com/v2/embed',
    rerank: 'https://api.cohere.com/v2/rerank',
  }
  expect(endpoints.map(({ name }) => name)).toEqual(Object.keys(urls))
  const models = Object.entries(urls).map(([name, url]) => {
    expect(describeRoute('POST', new URL(url))?.name).toBe(name)
    return findEndpoint(name)?.readInput({ input: 'Hi' }, new URL(url)).model
  })
  expect(models).toEqual(['my small', undefined, 'models/e', 'models/e', undefined, undefined, undefined])
})
