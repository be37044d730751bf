import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Exchange, judge } from './judge.ts'

const corpus = join(import.meta.dirname, '../../test/corpus/traffic')
// The judge reads the bodies of two wires; the others have a reader in scripts/conformance.
const files = (await readdir(corpus)).filter((name) => name.endsWith('.json') && !/^(gemini|vertex)-/.test(name))
const read = async (name: string) => JSON.parse(await readFile(join(corpus, name), 'utf8')) as Exchange

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

test('a stream that never ended is not exact: its replay is cut', async () => {
  const exchange = await read('openai-stream-usage.json')
  const body = String(exchange.response.body).split('\n\n')[0]
  const spoiled = { ...exchange, response: { ...exchange.response, body: `${body}\n\n` } }
  expect(judge(spoiled)).toMatchObject({ kind: 'wrong', reason: expect.stringContaining("end: 'cut'") })
})
