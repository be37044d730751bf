import { expect, test } from 'vitest'
import { createFileLinks } from './file-links.ts'

const cwd = import.meta.dirname
const sha = '3f2a1c9'

test.each([
  [
    { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/shop', GITHUB_SHA: sha },
    `https://github.com/acme/shop/blob/${sha}`,
  ],
  [
    { CI_PROJECT_URL: 'https://gitlab.com/acme/shop', CI_COMMIT_SHA: sha },
    `https://gitlab.com/acme/shop/-/blob/${sha}`,
  ],
])('a file has its address in the repository, whatever its name: %j', (env, folder) => {
  const here = `${folder}/packages/cli/src/changes`
  const link = createFileLinks(cwd, env)
  expect(link?.('a b/late.cassette.json')).toBe(`${here}/a%20b/late.cassette.json`)
  expect(link?.('](javascript:x)|\ud800')).toBe(`${here}/%5D%28javascript%3Ax%29%7C%EF%BF%BD`)
})

test.each([[{}], [{ GITHUB_SHA: sha }], [{ CI_COMMIT_SHA: sha }]])('elsewhere there is none: %j', (env) => {
  expect(createFileLinks(cwd, env)).toBeUndefined()
})
