import { expect, test } from 'vitest'
import { requireNode } from './node-floor.ts'

test.each(['22.12.0', '22.20.1', '24.0.0', '26.1.0'])('Node %s is new enough', (version) => {
  expect(requireNode(version)).toBeUndefined()
})

test.each(['20.20.2', '22.11.0', '18.0.0'])('Node %s is refused in one sentence', (version) => {
  expect(() => requireNode(version)).toThrow(/^retake needs Node 22\.12 or newer; this is v[\d.]+\.$/)
})
