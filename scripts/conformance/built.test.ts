import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allBuilt } from './built/all-built.ts'
import { toExchange } from './built/built.ts'
import { judgeRun } from './judge-run.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each(allBuilt)('%s: documented exchanges are exact, or refused by name', async (_, built) => {
  const verdicts: Record<string, string | undefined> = {}
  for (const one of built) {
    const exchange = toExchange(one)
    const judgement = (await judgeRun([exchange], await mkdtemp(join(folder, 'run-')))).get(exchange)
    verdicts[one.name] = judgement?.verdict === 'exact' ? 'exact' : judgement?.reason
  }
  expect(verdicts).toEqual(Object.fromEntries(built.map(({ name, refused = 'exact' }) => [name, refused])))
})
