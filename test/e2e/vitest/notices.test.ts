import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const asks = (more = '') => `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks', async () => {
  useCassette()
  await ask('Hello')
  ${more}
  await ask('Hello again')
})
`

test('the first cassettes are introduced, once; git ignoring them is told while they are recorded', async () => {
  await using project = await createEchoProject({ 'asks.test.ts': asks(), '.gitignore': '# of us\n*.json\n' })
  execFileSync('git', ['init', '-q'], { cwd: project.folder })
  const first = await project.run()
  expect(first.stderr).toBe('')
  const path = '__cassettes__/asks.test.ts/asks.cassette.json'
  expect(first.stdout).toMatch(
    new RegExp(`             ↳ recorded {2}${path}
       Live {2}2 calls, \\d+ tokens in, \\d+ out, \\d+\\.\\d s

             The first cassettes of this project\\. .*
             From now on these tests replay them: .*
             Look at one: {2}npx retake inspect ${path}
             Commit these files .*

\\[retake\\] git ignores ${path}
 {2}The rule is .gitignore:2:\\*\\.json\\. `),
  )
  const later = await project.run({ command: ['vitest', 'run', '--update.cassettes'] })
  expect(later.stdout).not.toMatch(/The first|git ignores/)
})

test('a test that fails by itself is told of the requests it did not come to', async () => {
  await using project = await createEchoProject({ 'asks.test.ts': asks() })
  await project.run()
  await project.write({ 'asks.test.ts': asks('expect(1).toBe(2)') })
  const { stderr, stdout } = await project.run()
  expect(stderr).toMatch(/AssertionError: expected 1 to be 2.*\n\(also: 1 recorded request was not reached\)/)
  expect(stdout).toContain('Cassettes  1 replayed')
})
