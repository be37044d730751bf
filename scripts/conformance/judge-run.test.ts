import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TrafficBody, TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import { withAsked } from './asked-by.ts'
import { judgeRun } from './judge-run.ts'

const corpus = join(import.meta.dirname, '../../test/corpus/traffic')
const files = (await readdir(corpus, { recursive: true })).filter((name) => name.endsWith('.json')).toSorted()

const encodingOf = (body: unknown): TrafficBody['body_encoding'] =>
  body === null ? 'none' : typeof body === 'string' ? 'text' : 'json'

/** A file of the corpus says less than a line of a traffic file: what it leaves out follows from its bodies. */
const readExchange = async (name: string): Promise<TrafficExchange> => {
  const { request, response, ...told } = JSON.parse(await readFile(join(corpus, name), 'utf8'))
  return {
    ...told,
    run: name,
    turn: 0,
    request: request && { ...request, method: 'POST', body_encoding: encodingOf(request.body) },
    response: { ...response, body_encoding: encodingOf(response.body) },
  }
}

const refused: Record<string, string> = {
  'openai-logprobs.json': 'logprobs in the reply',
  'perplexity-citations.json': 'citations, annotations, search results, grounding',
  'anthropic-server-tool.json': 'hosted/server tools and their blocks',
  'responses/openai-web-search.json': 'hosted/server tools and their blocks',
}

test.each(files)('%s comes back as it was, or is refused by name', async (name) => {
  const reason = refused[name]
  const expected = reason ? { verdict: 'refused', reason } : { verdict: 'exact' }
  // Some of the files hold the streams of two answers.
  const exchanges = withAsked(await readExchange(name))
  await using folder = await mkdtempDisposable(join(tmpdir(), 'retake-corpus-'))
  const judged = await judgeRun(exchanges, folder.path)
  expect([...judged.values()].map(({ verdict, reason }) => ({ verdict, reason }))).toEqual(
    exchanges.map(() => expected),
  )
})
