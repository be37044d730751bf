import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeholderKey, setPlaceholderAwsKey, setPlaceholderKeys } from './api-keys.ts'

const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'retake-home-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const after = (env: NodeJS.ProcessEnv) => {
  setPlaceholderAwsKey(env)
  return env
}

test('clients of AWS find a placeholder where nothing else gives them a key', () => {
  const HOME = home()
  expect(after({ HOME })).toEqual({
    HOME,
    AWS_ACCESS_KEY_ID: placeholderKey,
    AWS_SECRET_ACCESS_KEY: placeholderKey,
  })
})

test.each(['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_WEB_IDENTITY_TOKEN_FILE'])(
  'a key that %s gives stays',
  (name) => {
    const env = { HOME: home(), [name]: 'x' }
    expect(after({ ...env })).toEqual(env)
  },
)

test('a key in a file stays', () => {
  const HOME = home()
  mkdirSync(join(HOME, '.aws'))
  writeFileSync(join(HOME, '.aws/config'), '[default]\n')
  expect(after({ HOME })).toEqual({ HOME })
})

const keysAfter = (env: NodeJS.ProcessEnv) => {
  setPlaceholderKeys(env)
  return env
}

test('a client without a credential finds a placeholder, also a second time', () => {
  const env = keysAfter({ OPENAI_API_KEY: ' ' })
  expect(new Set(Object.values(env))).toEqual(new Set([placeholderKey]))
  expect(Object.keys(env)).toEqual(expect.arrayContaining(['OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY']))
  expect(keysAfter({ ...env })).toEqual(env)
})

// What each client takes first: @google/genai GOOGLE_API_KEY, @anthropic-ai/sdk the key, @ai-sdk/gateway the key;
// AzureOpenAI throws where it has a key and a token provider.
test.each([
  ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
  ['VERCEL_OIDC_TOKEN', 'AI_GATEWAY_API_KEY'],
  ['AZURE_CLIENT_ID', 'AZURE_OPENAI_API_KEY'],
])('no placeholder gets in the way of %s', (given, other) => {
  const env = keysAfter({ [given]: 'x' })
  expect(env[given]).toBe('x')
  expect(env).not.toHaveProperty(other)
})
