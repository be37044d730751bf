import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../support/run-project.ts'

// Three runs of Vitest, one after the other.
const timeout = 180_000

test('the demo records, replays, and shows the changed line of the prompt', { timeout }, async () => {
  await using project = await createProject({})
  const script = join(import.meta.dirname, '../../scripts/demo.ts')
  const { exitCode, stdout, stderr } = await project.run({ command: ['node', script], timeout })
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  expect(stdout.split('\n').length).toBeLessThanOrEqual(60)
  expect(stdout).toMatch(/^ *- Refund only late orders, and never more than their total\.$/m)
  expect(stdout).toMatch(/^ *\+ Refund late orders at once, and never more than their total\.$/m)
})
