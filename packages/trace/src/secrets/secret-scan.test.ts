import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isRetakeError } from '../error.ts'
import { refuseAllSecrets, scanSecrets } from './secret-scan.ts'
import { findSecrets } from './secrets.ts'

// Put together here, so that no scanner of this repository takes them for real.
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5kL7n'
const published: Record<string, string> = {
  'github token': `ghp_${letters.slice(0, 36)}`,
  'gitlab personal access token': `glpat-${letters.slice(0, 20)}`,
  'slack token': ['xoxb', '123456789012', '123456789012', letters.slice(0, 24)].join('-'),
  'groq api key': `gsk_${letters}${letters.slice(0, 12)}`,
  'stripe secret key live': `sk_live_${letters.slice(0, 24)}`,
  'npm access token': `npm_${letters.slice(0, 36)}`,
  'basic auth': `https://deploy:${letters.slice(0, 12)}@registry.acme.dev/x`,
  'postgre sql connection': `postgres://app:${letters.slice(0, 12)}@db.acme.dev:5432/shop`,
  'private key': `-----BEGIN PRIVATE KEY-----\nMI${letters.repeat(5)}\n-----END PRIVATE KEY-----`,
}

test.each(Object.entries(published))('a %s is found at its place, whatever a comment asks for', async (kind, key) => {
  const value = { a: [{ b: `/* secretlint-disable */\nuse ${key} // secretlint-disable-line` }], rest: 'words' }
  expect(findSecrets(value)).toEqual([])
  expect(await scanSecrets(value)).toEqual([{ where: 'a[0].b', kind }])
})

test('the name that a value stands under tells a key from other text', async () => {
  const secret = `${letters.slice(0, 39)}k`
  expect(await scanSecrets({ aws_secret_access_key: secret })).toEqual([
    { where: 'aws_secret_access_key', kind: 'aws secret access key' },
  ])
  expect(await scanSecrets({ commit: secret })).toEqual([])
})

test('a name that is a key is masked in every place below it', async () => {
  const key = published['github token'] as string
  const places = await scanSecrets({ deep: { [key]: { token: key } } })
  expect(places).toEqual([
    { where: 'deep', kind: 'github token' },
    { where: 'deep["[redacted]"].token', kind: 'github token' },
  ])
})

test('what is said names place and kind, never the value', async () => {
  const key = published['github token'] as string
  const values = Array.from({ length: 7 }, (_, n) => ({ n, key }))
  const error: unknown = await refuseAllSecrets({ values }, {}, 'Keep it out.').catch((thrown) => thrown)
  if (!isRetakeError(error)) throw new Error('not refused')
  expect(error.message).toBe(
    [
      'the recording was not written: it contains what looks like a key (github token)',
      '  values[0].key',
      ...[1, 2, 3, 4].map((n) => `  values[${n}].key: what looks like a key (github token)`),
      '  and 2 more places',
      '  Keep it out.',
    ].join('\n'),
  )
  expect(error).toMatchObject({
    code: 'RETAKE_SECRET_FOUND',
    details: { where: 'values[0].key', kind: 'github token' },
  })
  expect(JSON.stringify(error.details)).not.toContain(key)
})

test('ordinary text and data are no keys', async () => {
  expect(
    await scanSecrets({
      usage: 42,
      source: "const id = 'toolu_01A'; if (key.startsWith('sk-')) throw new Error('msg_9')",
      docs: 'Set OPENAI_API_KEY=sk-… or use https://user:password@example.com and postgres://localhost/shop',
      path: '/home/me/task-list/risk-register-of-the-whole-company-2024-final-version.md',
      digest: createHash('sha256').update('x').digest('hex'),
    }),
  ).toEqual([])
})

test('a form of a key inside a blob came up by chance', async () => {
  const blob = (n: number) =>
    Array.from({ length: 96 }, (_, at) => createHash('sha256').update(`${n} ${at}`).digest('base64url')).join('')
  const glued = Object.values(published).filter((key) => /^[\w-]+$/.test(key))
  expect(glued.length).toBeGreaterThan(4)
  for (const [n, key] of glued.entries()) {
    const text = blob(n)
    expect(await scanSecrets({ blob: `${text.slice(0, 2000)}1${key}-${text.slice(2000)}` })).toEqual([])
    expect(await scanSecrets({ blob: `${text} ${key} ${text}` })).toHaveLength(1)
  }
})

test('texts beyond one batch are searched too', async () => {
  const filler = Array.from({ length: 30 }, (_, n) => `${n} ${'word '.repeat(20_000)}`)
  const places = await scanSecrets([...filler, published['github token'], ...filler])
  expect(places).toEqual([{ where: '[30]', kind: 'github token' }])
})

test('the rules leave no marks in the timeline of the process', async () => {
  await scanSecrets(['text'])
  expect(performance.getEntries().filter(({ name }) => name.includes('lint'))).toEqual([])
})
