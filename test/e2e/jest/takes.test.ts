import { expect, test } from 'vitest'
import { createFailingProject } from '../../support/failing-project.ts'
import { createJestEchoProject } from '../../support/jest-project.ts'
import type { ProjectRun } from '../../support/run-project.ts'

const ending = (files: Record<string, string>, end: string) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith(end)))
const takes = ({ files }: ProjectRun) => Object.keys(ending(files, '.take.json'))
const cassettes = ({ files }: ProjectRun) => ending(files, '.cassette.json')

const config = (retake: object) =>
  JSON.stringify({
    testEnvironment: 'retake/jest/node',
    testEnvironmentOptions: { retake },
    reporters: ['default', 'retake/jest/reporter'],
    transform: {},
  })

test('updates may wait beside their cassettes, to be accepted or rejected', async () => {
  await using project = await createFailingProject({ jest: 30 })
  const recorded = await project.run({ command: ['jest', 'refund'] })
  const changed = { CHANGE: 'prompt' }

  const update = await project.run({
    command: ['retake', 'jest', 'refund', '--update-cassettes=review'],
    env: changed,
  })
  expect(update.exitCode).toBe(0)
  expect(update.stderr).toContain(`
Cassettes:   1 waiting, 1 total
             ↳ waiting  test/__cassettes__/refund.test.js/refunds-a-late-order.cassette.json
             1 take waits: npx retake review
`)
  expect(cassettes(update)).toEqual(cassettes(recorded))
  expect(takes(update)).toHaveLength(1)

  // What waits is not replayed, is not obsolete, and is not forgotten.
  const replayed = await project.run({ command: ['jest', 'refund'] })
  expect(replayed.stderr).toMatch(/Cassettes: {3}1 replayed, 1 total\n.*1 take waits: npx retake review/)
  expect(replayed.stderr).not.toContain('obsolete')

  const rejected = await project.run({ command: ['retake', 'reject', '.'] })
  expect(rejected.exitCode).toBe(0)
  expect(takes(rejected)).toEqual([])
  expect(cassettes(rejected)).toEqual(cassettes(recorded))

  // The same by options, and it is accepted.
  await project.write({ 'jest.config.json': config({ mode: 'update', review: true }) })
  expect(takes(await project.run({ command: ['jest', 'refund'], env: changed }))).toHaveLength(1)
  const accepted = await project.run({ command: ['retake', 'accept', '.'] })
  expect(accepted.exitCode).toBe(0)
  expect(takes(accepted)).toEqual([])
  expect(JSON.stringify(cassettes(accepted))).toContain('at least 10 days late')
  await project.write({ 'jest.config.json': config({}) })
  const fits = await project.run({ command: ['jest', '--ci', 'refund'], env: changed })
  expect(fits.stderr).toContain('Cassettes:   1 replayed, 1 total')
}, 120_000)

test('-u records again where the option says so, and not under CI', async () => {
  const text = (question: string) => `const { useCassette } = require('retake/jest')
const { ask } = require('./agent.js')
test('asks', async () => {
  useCassette()
  expect(await ask('${question}')).toMatchSnapshot()
})
`
  const files = {
    'asks.test.js': text('Hello'),
    'jest.config.json': config({ updateWithSnapshots: true }),
  }
  await using project = await createJestEchoProject({ jest: 30 }, files)
  const recorded = await project.run()
  await project.write({ 'asks.test.js': text('Bye') })

  const underCi = await project.run({ command: ['jest', '--ci', '-u'] })
  expect(underCi.exitCode).toBe(1)
  expect(underCi.stderr).toContain('CassetteMismatchError')
  const without = await project.run()
  expect(without.exitCode).toBe(1)
  expect(cassettes(without)).toEqual(cassettes(recorded))
  expect(project.provider.requests).toHaveLength(1)

  const updated = await project.run({ command: ['jest', '-u'] })
  expect(updated.exitCode).toBe(0)
  expect(updated.stderr).toMatch(/Cassettes: {3}1 updated, 1 total[\s\S]*1 snapshot updated/)
  expect(project.provider.requests).toHaveLength(2)
})
