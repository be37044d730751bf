import { expect, test } from 'vitest'
import { createFailingProject } from '../../support/failing-project.ts'

test('-u records again where the option says so', async () => {
  await using project = await createFailingProject()
  await project.write({
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake({ updateWithSnapshots: true })], test: { maxWorkers: 1 } }
`,
  })
  await project.run({ command: ['vitest', 'run', 'refund'] })
  const command = ['vitest', 'run', 'refund', '-u']
  const underCi = await project.run({ command, env: { CHANGE: 'prompt', CI: 'true' } })
  expect(underCi.exitCode).toBe(1)
  const { stdout } = await project.run({ command, env: { CHANGE: 'prompt' } })
  expect(stdout).toMatch(/Cassettes {2}1 updated/)
})

const takes = (files: Record<string, string>) => Object.keys(files).filter((path) => path.endsWith('.take.json'))
const cassettes = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.cassette.json')))

test('--update-cassettes=review and `review: true` let updates wait, and the cassettes stay in force', async () => {
  await using project = await createFailingProject()
  const recorded = await project.run({ command: ['vitest', 'run', 'refund'] })
  expect(recorded.stdout).toMatch(/Cassettes {2}1 recorded/)

  const update = await project.run({
    command: ['vitest', 'run', 'refund', '--update.cassettes=review'],
    env: { CHANGE: 'prompt' },
  })
  expect(update.exitCode).toBe(0)
  expect(update.stdout).toMatch(/Cassettes {2}1 waiting\n/)
  expect(update.stdout).toMatch(
    /↳ waiting {2}test\/__cassettes__\/refund\.test\.ts\/refunds-a-late-order\.cassette\.json/,
  )
  expect(update.stdout).toContain('1 take waits: npx retake review')
  expect(cassettes(update.files)).toEqual(cassettes(recorded.files))
  expect(takes(update.files)).toHaveLength(1)

  // What waits is not replayed, is not obsolete, and is not forgotten.
  const replayed = await project.run({ command: ['vitest', 'run', 'refund'] })
  expect(replayed.stdout).toMatch(/Cassettes {2}1 replayed\n.*1 take waits: npx retake review/)
  expect(replayed.stdout).not.toContain('obsolete')

  // A test without a cassette has nothing to keep in force; an update that says the same takes back what waited.
  await project.write({
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake({ review: true })], test: { maxWorkers: 1 } }
`,
  })
  const again = await project.run({ env: { RETAKE: 'update' } })
  expect(again.stdout).toMatch(/Cassettes {2}2 recorded \| 1 unchanged/)
  expect(takes(again.files)).toEqual([])
})
