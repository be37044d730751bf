import { expect, test } from 'vitest'
import { copyJestExample, jestExamples } from '../../../scripts/demo/example-project.ts'

test.each(jestExamples)('the cassettes of examples/%s replay under CI, offline and without a key', async (name) => {
  await using project = await copyJestExample(name)
  const before = await project.files()
  const { exitCode, stderr, files } = await project.run({ env: { CI: 'true' } })
  expect(stderr).toMatch(/^Cassettes: +(\d+) replayed, \1 total$/m)
  expect(stderr).toMatch(/^Tests: +(\d+) passed, \1 total$/m)
  expect(exitCode).toBe(0)
  expect(files).toEqual(before)
})
