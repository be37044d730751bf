import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const greets = `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from '../agent.ts'
test('greets', async () => {
  useCassette()
  await ask('Hello')
})
`

test('a project without the plugin is told so, the others work', async () => {
  await using project = await createEchoProject({
    'one/greets.test.ts': greets,
    'two/greets.test.ts': greets,
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default {
  plugins: [retake({ allow: [/^https:\\/\\/telemetry\\./], dir: 'tapes/of' })],
  test: {
    projects: [
      { extends: true, test: { name: 'one', include: ['one/*.test.ts'] } },
      { extends: false, test: { name: 'two', include: ['two/*.test.ts'] } },
    ],
  },
}
`,
  })
  const { exitCode, stdout, stderr, files } = await project.run({ command: ['vitest', 'run', '--update.cassettes'] })
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Tests  1 failed | 1 passed (2)')
  expect(stderr).toMatch(/FAIL +(\|two\|)? *two\/greets.*\nConfigError: useCassette\(\) needs the plugin/)
  expect(Object.keys(files)).toContain('one/tapes/of/greets.test.ts/greets.cassette.json')
})

test.each([
  [{ RETAKE: 'recrod' }, 'RETAKE is "recrod", but it must be auto, replay, update or off'],
  [{ RETAKE_FLAG: 'always' }, 'RETAKE_FLAG is "always", but it must be update'],
])('%j stops the run in one sentence', async (env, sentence) => {
  await using project = await createEchoProject({ 'one/greets.test.ts': greets })
  const { exitCode, stderr } = await project.run({ env })
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`ConfigError: ${sentence}`)
  expect(stderr).not.toContain('    at ')
})

test('reports for programs stay what they are, and hold what became of each cassette', async () => {
  await using project = await createEchoProject({
    'one/greets.test.ts': greets,
    'none.test.ts': `import { test } from 'vitest'
test('has no cassette', () => {})
`,
  })
  const command = ['vitest', 'run', '--reporter=json', '--outputFile=report.json']
  const { stdout, files } = await project.run({ command })
  expect(stdout).not.toContain('Cassettes')
  const report = JSON.parse(files['report.json'] ?? '')
  const metas = report.testResults.flatMap(({ assertionResults }: { assertionResults: { meta: object }[] }) =>
    assertionResults.map(({ meta }) => meta),
  )
  expect(metas).toContainEqual({
    retake: [
      {
        path: expect.stringMatching(/one\/__cassettes__\/greets\.test\.ts\/greets\.cassette\.json$/),
        kind: 'recorded',
        liveCalls: 1,
        replayedCalls: 0,
        unused: 0,
        live: {
          replies: 1,
          tokens: { input: expect.any(Number), output: expect.any(Number) },
          duration: expect.any(Number),
        },
      },
    ],
  })
  expect(metas).toContainEqual({})

  const junit = await project.run({ command: ['vitest', 'run', '--reporter=junit'] })
  expect(junit.stdout).not.toContain('Cassettes')
  const both = await project.run({ command: ['vitest', 'run', '--reporter=junit', '--reporter=dot'] })
  expect(both.stdout).toContain('Cassettes  1 replayed')
  const none = await project.run({ command: ['vitest', 'run', 'none'] })
  expect(none.stdout).not.toContain('Cassettes')
})

test('with RETAKE=off nothing is touched', async () => {
  await using project = await createEchoProject({
    'off.test.ts': `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks the model', async () => {
  const cassette = useCassette()
  expect(cassette.state).toBe('off')
  expect(await ask('Hello')).toBe('Hello, really?')
  expect(Symbol.for('retake.wrapper') in fetch).toBe(false)
})
`,
  })
  const { stdout, stderr } = await project.run({ env: { RETAKE: 'off' } })
  expect(stderr).toBe('')
  expect(stdout).toContain('1 passed')
  expect(stdout).not.toContain('Cassettes')
  expect(project.provider.requests).toHaveLength(1)
  expect(await project.cassettes()).toEqual({})
})
