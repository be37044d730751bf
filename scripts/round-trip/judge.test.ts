import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Exchange, isJudged, judge } from './judge.ts'

const corpus = join(import.meta.dirname, '../../test/corpus/traffic')
const names = (await readdir(corpus)).filter((name) => name.endsWith('.json'))
const read = async (name: string) => JSON.parse(await readFile(join(corpus, name), 'utf8')) as Exchange
const files = (await Promise.all(names.map(async (name) => (isJudged(await read(name)) ? [name] : [])))).flat()

const refused: Record<string, string> = {
  'openai-logprobs.json': 'logprobs in the reply',
  'perplexity-citations.json': 'citations, annotations, search results, grounding',
  'anthropic-server-tool.json': 'hosted/server tools and their blocks',
}

test.each(files)('%s comes back as it was, or is refused by name', async (name) => {
  const verdict = judge(await read(name))
  expect(verdict).toMatchObject(
    refused[name] ? { kind: 'refused', reason: refused[name] } : { kind: 'exact', reason: '' },
  )
})

test('a stream that never ended is not exact: its replay ends early too', async () => {
  const exchange = await read('openai-stream-usage.json')
  const body = String(exchange.response.body).split('\n\n')[0]
  const spoiled = { ...exchange, response: { ...exchange.response, body: `${body}\n\n` } }
  expect(judge(spoiled)).toMatchObject({ kind: 'wrong', reason: expect.stringContaining("end: 'early'") })
})
