import { afterAll, beforeAll, expect, test } from 'vitest'
import { changes, createFailingProject } from '../../support/failing-project.ts'
import { type ManyRunResult, runMany } from '../../support/many-runs.ts'
import type { Project } from '../../support/run-project.ts'

let project: Project
let runs: ManyRunResult[]
let folded: ManyRunResult | undefined
let annotated: ManyRunResult | undefined

beforeAll(async () => {
  project = await createFailingProject()
  const prompt = { CHANGE: 'prompt' }
  ;[, ...runs] = await runMany(project, [
    {},
    ...changes.map((change) => ({ args: ['refund'], env: { CHANGE: change } })),
    { env: prompt },
    { args: ['refund', '--reporter=github-actions'], env: prompt },
  ])
  ;[folded, annotated] = runs.splice(changes.length)
}, 120_000)
afterAll(() => project[Symbol.asyncDispose]())

test.each(changes.map((change, n) => [change, n] as const))('the whole output of a failure: %s', async (change, n) => {
  expect(runs[n]?.exitCode).toBe(1)
  await expect(runs[n]?.stderr).toMatchFileSnapshot(`failures/${change}.txt`)
})

test('one cause that hits several tests is shown once', async () => {
  expect(folded?.exitCode).toBe(1)
  await expect(folded?.stderr).toMatchFileSnapshot('failures/folded.txt')
})

test('GitHub gets an annotation at the line of the agent', async () => {
  await expect(annotated?.stdout).toMatchFileSnapshot('failures/github.txt')
})
