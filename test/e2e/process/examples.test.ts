import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const examples = resolve(import.meta.dirname, '../../../examples')
const mocha = createRequire(join(examples, 'mocha/package.json')).resolve('mocha/bin/mocha.js')

test.each([
  ['node-test', ['--test'], /^ℹ pass 2$/m],
  ['mocha', [mocha, 'test'], /^ {2}2 passing /m],
])('the example of %s replays under CI, offline and without a key', (name, args, passed) => {
  const { PATH, HOME } = process.env
  const cwd = join(examples, name)
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH, HOME, CI: 'true', NO_COLOR: '1' },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(passed)
})
