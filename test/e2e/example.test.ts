import { expect, test } from 'vitest'
import { copyExample } from '../../scripts/demo/example-project.ts'

test('the cassettes of the example replay under CI, offline and without a key', async () => {
  await using project = await copyExample({ cassettes: true })
  const before = await project.files()
  const { exitCode, stdout, stderr, files } = await project.run({ env: { CI: 'true' } })
  expect(stderr).toBe('')
  expect(stdout).toContain('Tests  5 passed (5)')
  expect(exitCode).toBe(0)
  expect(files).toEqual(before)
})
