import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeholderKey } from '../api-keys.ts'
import { createRunSecrets } from './run-secrets.ts'

const value = 'k3y-of-this-run-0123'
const literalsIn = (env: NodeJS.ProcessEnv) => createRunSecrets(env).literals()

test.each([
  'OPENAI_API_KEY',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'DB_PASSWORD',
  'MYSQL_PWD',
  'SECRET_KEY_BASE',
  'STRIPE_KEY_2',
  'npm_config__authToken',
  'openaiApiKey',
  'APIKEY',
  'GITHUB_PAT',
  'SESSION_COOKIE',
])('the value of %s is a secret', (name) => {
  expect(literalsIn({ [name]: ` ${value}\n` })).toEqual([{ name, value }])
})

test.each(['PWD', 'OLDPWD', 'HOME', 'MONKEY', 'KEYBOARD', 'SSH_AUTH_SOCK', 'TOKENIZER', 'BYPASS', 'PATH'])(
  'the value of %s is none',
  (name) => {
    expect(literalsIn({ [name]: value })).toEqual([])
  },
)

test.each(['', 'password', 'not-needed', 'Development', placeholderKey])(
  'a key variable that says "%s" holds no secret',
  (word) => {
    expect(literalsIn({ DB_PASSWORD: word })).toEqual([])
  },
)

test('a variable that says where a key is holds none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'retake-'))
  const path = join(folder, 'credentials-0123.json')
  writeFileSync(path, '{}')
  expect(literalsIn({ GOOGLE_APPLICATION_CREDENTIALS: path })).toEqual([])
  rmSync(folder, { recursive: true })
})

test.each<[string, string, string[]]>([
  ['authorization', `Bearer ${value}`, [value]],
  ['x-api-key', value, [value]],
  ['api-key', value, [value]],
  ['x-goog-api-key', value, [value]],
  ['cf-aig-authorization', `Token ${value}`, [value]],
  ['cookie', `a=${value}; theme=dark`, [value]],
  ['x-acme-secret', value, [value]],
  ['content-type', value, []],
  ['x-trace', value, []],
])('of the header %s: %s', (name, header, expected) => {
  const secrets = createRunSecrets({})
  secrets.see({ url: 'https://api.acme.dev/v1', headers: new Headers({ [name]: header }) })
  expect(secrets.literals()).toEqual(expected.map((key) => ({ name: `the header ${name}`, value: key })))
})

test('basic authentication hides a password in base64', () => {
  const secrets = createRunSecrets({})
  const encoded = Buffer.from(`deploy:${value}`).toString('base64')
  secrets.see({ url: 'https://api.acme.dev/v1', headers: new Headers({ authorization: `Basic ${encoded}` }) })
  expect(secrets.literals().map((literal) => (literal as { value: string }).value)).toEqual([
    encoded,
    `deploy:${value}`,
    value,
  ])
})

test('a query can hold a key', () => {
  const secrets = createRunSecrets({})
  secrets.see({ url: `https://api.acme.dev/v1?key=${value}&alt=sse-0123456789`, headers: new Headers() })
  expect(secrets.literals()).toEqual([{ name: 'the query parameter key', value }])
})

test('a key that is set for a moment is remembered', () => {
  const env: NodeJS.ProcessEnv = {}
  const secrets = createRunSecrets(env)
  env.SHOP_TOKEN = value
  secrets.see({ url: 'https://api.acme.dev/v1', headers: new Headers() })
  delete env.SHOP_TOKEN
  expect(secrets.literals()).toEqual([{ name: 'SHOP_TOKEN', value }])
})
