import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wires } from '@retake/providers'
import { expect, test } from 'vitest'
import { apis, renderFeatures } from './render-features.ts'

test('docs/features.md is what npm run features writes', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/features.md'), 'utf8')
  expect(page).toBe(renderFeatures())
})

test('every wire is on the page', () => {
  expect(apis.flatMap((api) => api.wires).sort()).toEqual(wires.map(({ name }) => name).sort())
})
