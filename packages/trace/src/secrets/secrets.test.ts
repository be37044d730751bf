import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSecrets, maskSecrets } from './secrets.ts'

const anthropic = `sk-ant-api03-${'Ab1_'.repeat(20)}`
const project = `sk-proj-${'Ab1-'.repeat(12)}x`
const plain = `sk-${'Ab1c'.repeat(12)}`

test.each([
  ['sk-ant', anthropic],
  ['sk-proj', project],
  ['sk-', plain],
  ['bearer-token', 'Bearer abcdefghijklmnop=='],
])('%s is found with its place and masked', (kind, secret) => {
  const value = { a: [{ b: `OPENAI_API_KEY="${secret}"\n` }] }
  expect(findSecrets(value)).toEqual([{ where: 'a[0].b', kind }])
  expect(maskSecrets(value.a[0]?.b as string)).toBe('OPENAI_API_KEY="[redacted]"\n')
})

test('a secret member name is found, and masked in the place that is reported', () => {
  const [found] = findSecrets({ deep: { [plain]: { token: plain } } })
  expect(found).toEqual({ where: 'deep', kind: 'sk-' })
  expect(JSON.stringify(findSecrets({ deep: { [plain]: { token: plain } } }))).not.toContain(plain)
})

test('text about keys is no key', () => {
  const harmless = [
    'toolu_01',
    'sk-ant',
    'sk-proj-…',
    'task-based-work-with-a-long-name-and-more-words',
    'Bearer',
    'risk-1',
  ]
  expect(findSecrets(harmless)).toEqual([])
})

test('base64 that holds sk- by chance is no key', () => {
  for (let seed = 0; seed < 200; seed++) {
    let bytes = Buffer.alloc(0)
    for (let block = 0; block < 96; block++) {
      bytes = Buffer.concat([bytes, createHash('sha256').update(`${seed} ${block}`).digest()])
    }
    const blob = bytes.toString('base64url')
    const cut = 40 + seed * 5
    expect(
      findSecrets([
        blob,
        `${blob.slice(0, cut)}sk-${blob.slice(cut)}`,
        `${blob.slice(0, cut)}-sk-${blob.slice(cut)}`,
        `sk-${blob}`,
      ]),
    ).toEqual([])
  }
})

const literal = 'p@ss/wörd+with?odd "chars" & spaces'
const upper = encodeURIComponent(literal)
const forms: Record<string, string> = {
  raw: literal,
  'as a query': `https://host/?a=1&key=${upper}`,
  'as a query in lower case': upper.replace(/%../g, (code) => code.toLowerCase()),
  'as a form': String(new URLSearchParams({ key: literal })),
  'with every character encoded': [...Buffer.from(literal)].map((byte) => `%${byte.toString(16)}`).join(''),
  'in JSON text': JSON.stringify({ key: literal }),
  'in JSON text of JSON text': JSON.stringify({ arguments: JSON.stringify({ key: literal }) }),
}
for (const before of ['', 'a', 'ab']) {
  for (const encoding of ['base64', 'base64url'] as const) {
    forms[`in ${encoding} after ${before.length} bytes`] = Buffer.from(`${before}${literal}:rest`).toString(encoding)
  }
}

test.each(Object.entries(forms))('a literal is found and masked %s', (_, carrier) => {
  const options = { literals: [` ${literal}\n`] }
  expect(findSecrets({ header: carrier }, options)).toEqual([{ where: 'header', kind: 'literal' }])
  const masked = maskSecrets(carrier, options.literals)
  expect(masked).toContain('[redacted]')
  expect(findSecrets(masked, options)).toEqual([])
})

test('a literal is found in base64 that was cut into lines', () => {
  const lines = Buffer.from(`${'x'.repeat(40)}${literal}${'y'.repeat(40)}`)
    .toString('base64')
    .replace(/.{76}/g, '$&\n')
  expect(lines).toContain('\n')
  expect(findSecrets({ file: lines }, { literals: [literal] })).toEqual([{ where: 'file', kind: 'literal' }])
})

test('a named literal is called by its name', () => {
  const literals = [{ name: 'SHOP_TOKEN', value: 'correct horse' }]
  expect(findSecrets({ a: 'correct horse battery' }, { literals })).toEqual([
    { where: 'a', kind: 'value of SHOP_TOKEN' },
  ])
})

test('a short literal would be found by chance', () => {
  expect(findSecrets('short', { literals: ['short'] })).toEqual([])
})

test('what is masked by one literal leaves no rest of another', () => {
  expect(maskSecrets('abcdefgh-ijklmnop', ['abcdefgh', 'abcdefgh-ijklmnop'])).toBe('[redacted]')
})
