import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cassette } from '@retake/session'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { runMain } from '../../packages/cli/test/run-main.ts'
import { inTest } from '../session/in-test.ts'
import { createDemoRepository } from '../support/demo-repository.ts'
import { chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'

const source = new URL('../../packages/cli/src/index.ts', import.meta.url).href
const program = `import(${JSON.stringify(source)}).then(async ({ main }) => { process.exitCode = await main(process.argv.slice(1)) })`
const textconv = `'${process.execPath}' -e '${program}' textconv`

const changedLines = (diff: string, sign: '+' | '-'): string[] =>
  diff.split('\n').flatMap((line) => (line.startsWith(sign) && !line.startsWith(sign.repeat(3)) ? [line.slice(1)] : []))

test('git diff, git show and git log -p read as a conversation', async () => {
  await using repository = await createDemoRepository()
  repository.git('config', 'diff.retake.textconv', textconv)
  const diff = repository.git('diff', 'main', 'shipping', '--', repository.cassette('late'))
  expect(changedLines(diff, '-')).toEqual([
    '           Refund late orders in full.',
    'assistant  → refund {"amount":20}',
    'tool       {"refunded":20}',
    'assistant  Your order is 16 days late, so I sent 20 € back to your card.',
  ])
  expect(changedLines(diff, '+')).toEqual([
    '           Refund late orders, but keep the shipping of 1.50 €.',
    'assistant  → refund {"amount":18.5}',
    'tool       {"refunded":18.5}',
    'assistant  Your order is 16 days late, so I sent 18.50 € back to your card. The shipping is not refunded.',
  ])
  expect(diff).not.toMatch(/sum|seal|hash|createdAt/)
  const log = repository.git('log', '-p', '-1', '--', repository.cassette('late'))
  expect(log).toContain('+assistant  → refund {"amount":18.5}')
})

test('what is no cassette is shown as it is, so that git goes on', async () => {
  await using repository = await createDemoRepository()
  repository.git('config', 'diff.retake.textconv', textconv)
  await repository.write({ [repository.cassette('late')]: 'broken\n' })
  expect(changedLines(repository.git('diff'), '+')).toEqual(['broken'])
})

test('branches that changed one cassette conflict as a whole; one with markers is reported with the way out', async () => {
  await using repository = await createDemoRepository()
  const { folder, git } = repository
  const path = repository.cassette('late')
  git('checkout', '-q', 'main')
  const text = await readFile(join(folder, path), 'utf8')
  await writeFile(join(folder, path), text.replace('"createdAt": ', '"createdAt":  '))
  git('commit', '-q', '-a', '-m', 'Another layout')
  expect(() => git('merge', '-q', 'shipping')).toThrow()
  // merge=binary: ours stays whole, and can be read.
  expect((await runMain(folder, ['verify', path])).code).toBe(0)
  git('merge', '--abort')

  await repository.write({ '.gitattributes': '' })
  git('commit', '-q', '-a', '-m', 'Merged by lines')
  expect(() => git('merge', '-q', 'shipping')).toThrow()
  expect(await readFile(join(folder, path), 'utf8')).toContain('<<<<<<<')
  const { code, err } = await runMain(folder, ['inspect', path])
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/merge conflict markers\n.*:\d+\n.*git checkout --ours FILE.*record the run again/),
  ])
  const report = await runMain(folder, ['report', 'HEAD'])
  expect([report.code, report.out]).toEqual([
    1,
    expect.stringMatching(/✗ .*late.*\n.*merge conflict markers\. Choose a side/),
  ])
})

const turns = 30

/** Thirty turns in one conversation; `third` is what the user says in the third. */
const talk = async (url: string, third: string, _: Cassette): Promise<void> => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-of-the-test-1234', maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You count.\nYou are brief.' }]
  for (let turn = 1; turn <= turns; turn++) {
    messages.push({ role: 'user', content: turn === 3 ? third : `What comes after ${turn}?` })
    const { choices } = await client.chat.completions.create({ model: 'gpt-5.5', messages })
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
  }
}

test('one changed early message of thirty turns is six lines for git, and one row in the report', async () => {
  await using repository = await createDemoRepository()
  const { folder, git } = repository
  const path = 'test/__cassettes__/count.test.ts/counts.cassette.json'
  const record = async (third: string) => {
    await using provider = await startFakeProvider({
      replies: ({ body }) => chatJson({ content: `${Math.ceil(body.messages.length / 2)}` }),
    })
    const label = 'counts'
    const { result } = await inTest(join(folder, path), { mode: 'update', label }, (cassette) =>
      talk(provider.url, third, cassette),
    )
    return result.kind
  }
  expect(await record('What comes after three?')).toBe('recorded')
  git('add', '-A')
  git('commit', '-q', '-m', 'Thirty turns')

  expect(await record('What comes after three?')).toBe('unchanged')
  expect((await runMain(folder, ['report'])).out).toMatch(/^retake: no conversation changed/)

  expect(await record('And what comes after three?')).toBe('updated')
  const [added, removed] = git('diff', '--numstat', '--no-textconv', '--', path).split('\t').map(Number)
  expect((added ?? 0) + (removed ?? 0)).toBeLessThanOrEqual(6)
  const { conversations, causes, unchanged } = JSON.parse((await runMain(folder, ['report', '--json'])).out)
  expect(conversations).toHaveLength(1)
  expect(conversations[0]).toMatchObject({ name: 'counts', behavior: [], modelCalls: { before: turns, after: turns } })
  expect(causes).toEqual([
    {
      area: 'message',
      name: 'user',
      kind: 'changed',
      before: 'What comes after three?',
      after: 'And what comes after three?',
      files: [path],
    },
  ])
  expect(unchanged).toBe(3)
})
