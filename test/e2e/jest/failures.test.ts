import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changes, createFailingProject } from '../../support/failing-project.ts'
import type { Project, ProjectRun } from '../../support/run-project.ts'

/** Jest tells the time in its own rows, and behind the name of a slow test. */
const withoutTimes = ({ stderr }: ProjectRun): string =>
  stderr.replace(/^Time: .*$/m, 'Time: <time>').replaceAll(/ \(\d+ ms\)$/gm, '')

describe('Jest 30', () => {
  let project: Project
  beforeAll(async () => {
    project = await createFailingProject({ jest: 30 })
    expect(await project.run()).toMatchObject({ exitCode: 0 })
  })
  afterAll(() => project[Symbol.asyncDispose]())

  test.each(changes)('the whole output of a failure: %s', async (change) => {
    const run = await project.run({ command: ['jest', 'refund'], env: { CHANGE: change } })
    expect(run.exitCode).toBe(1)
    await expect(withoutTimes(run)).toMatchFileSnapshot(`failures/${change}.txt`)
  })

  test('one cause that hits several tests is shown once a file, and the summary says how to record them all', async () => {
    const env = { CHANGE: 'prompt' }
    const run = await project.run({ command: ['jest', 'others'], env })
    await expect(withoutTimes(run)).toMatchFileSnapshot('failures/folded.txt')
    const { stderr } = await project.run({ command: ['jest'], env })
    expect(stderr).toContain(`
Cassettes:   3 failed, 3 total
             ↳ 3 tests fail for one reason  request 1 of 3 differs from the cassette in its system prompt  (in 2 files)
               on purpose?  npx retake jest test/others.test.js test/refund.test.js --update-cassettes
`)
  })

  test('colours are those of Jest: Recorded green, Received red', async () => {
    const { stderr } = await project.run({ command: ['jest', 'refund'], env: { CHANGE: 'prompt' }, colors: true })
    expect(stderr).toContain('\u001b[32m- Recorded')
    expect(stderr).toContain('\u001b[31m+ Received')
  })
})

test('Jest 29 says the same', async () => {
  await using project = await createFailingProject({ jest: 29 })
  await project.run()
  const run = await project.run({ command: ['jest', 'refund'], env: { CHANGE: 'prompt' } })
  await expect(withoutTimes(run)).toMatchFileSnapshot('failures/prompt-29.txt')
})
