import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeholderKey, setPlaceholderAwsKey } from './api-keys.ts'

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
