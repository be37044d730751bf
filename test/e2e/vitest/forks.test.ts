import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const parent = (question: string) => `
test('asks twice', async () => {
  useCassette({ clock: 'recorded' })
  expect(await talk('${question}')).toBe('${question}, really?, really?')
})`

const files = (question: string) => ({
  'talk.ts': `import { ask } from './agent.ts'
export const talk = async (question: string) => ask(await ask(question))
`,
  'fork.test.ts': `import { describe, expect, test } from 'vitest'
import { expectCassette, modelInput, useCassette } from 'retake/vitest'
import { talk } from './talk.ts'
${parent(question)}
describe('what if', () => {
  test.each(['No.', 'Perhaps.'])('it says %s', async (reply) => {
    const cassette = useCassette({ fork: { from: 'asks twice', at: modelInput(2), then: [reply] } })
    expect(await talk('${question}')).toBe(reply)
    expectCassette(cassette).toHaveEndedWith('success')
    expect(cassette.trace.parentId).toBeDefined()
  })
  test('it says what it says now', async () => {
    useCassette({ fork: { from: 'asks twice', at: modelInput(2), then: 'live' } })
    expect(await talk('${question}')).toBe('${question}, really?, really?')
  })
})
test('is scripted', async () => {
  useCassette({ script: ['One.', 'Two.'] })
  expect(await talk('Hello')).toBe('Two.')
})
test('is not compared', async () => {
  useCassette({ match: 'sequence', ignore: ['model'] })
  expect(await talk('Hi')).toBe('Hi, really?, really?')
})
`,
})

test('forks are recorded, replayed under CI without a provider, and out of date when their parent is', async () => {
  await using project = await createEchoProject(files('Is it late'))
  const recorded = await project.run()
  expect(recorded.stdout).toContain('Cassettes  5 recorded | 1 scripted (6)')
  expect(recorded.exitCode).toBe(0)
  expect(Object.keys(await project.cassettes()).sort()).toEqual([
    'fork.test.ts/asks-twice.cassette.json',
    'fork.test.ts/is-not-compared.cassette.json',
    expect.stringMatching(/^fork\.test\.ts\/what-if--it-says-no-\w{8}\.cassette\.json$/),
    expect.stringMatching(/^fork\.test\.ts\/what-if--it-says-perhaps-\w{8}\.cassette\.json$/),
    'fork.test.ts/what-if--it-says-what-it-says-now.cassette.json',
  ])
  // Two for the parent, one for the live fork, two for the last test.
  expect(project.provider.requests).toHaveLength(5)

  const replayed = await project.run({ env: { CI: '1', OPENAI_API_KEY: '' } })
  expect(replayed.stdout).toContain('Cassettes  5 replayed | 1 scripted (6)')
  expect(replayed.stdout).toContain("In force  ignore (1), match: 'sequence' (1)")
  expect(replayed.stdout).not.toContain('obsolete')
  expect(replayed.exitCode).toBe(0)
  expect(project.provider.requests).toHaveLength(5)

  await project.write(files('Is it early'))
  const parentOnly = await project.run({
    command: ['vitest', 'run', '-t', 'asks twice'],
    env: { RETAKE: 'update' },
  })
  expect(parentOnly.exitCode).toBe(0)
  const stale = await project.run()
  expect(stale.stderr).toContain('the recorded fork is out of date: its parent has changed at step 0')
  expect(stale.stderr).toContain('npx retake vitest run fork.test.ts --update-cassettes')
  expect(stale.exitCode).toBe(1)

  const updated = await project.run({ env: { RETAKE: 'update' } })
  expect(updated.exitCode).toBe(0)
  expect(updated.stdout).toContain('3 updated')
  expect((await project.run({ env: { CI: '1' } })).exitCode).toBe(0)
})
