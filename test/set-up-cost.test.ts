import { join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { walkImports } from './support/import-graph.ts'

const root = join(import.meta.dirname, '..')

/** What a file of ours loads before it does anything: other files of ours, built-ins, packages. */
const loadedBy = (file: string): string[] => {
  const entry = join(root, file)
  const isPackage = (specifier: string) => !/^(\.|node:|@retake\/)/.test(specifier)
  const targets = walkImports(entry, isPackage, 'atOnce').reached.map(({ target }) => target)
  return [...new Set([entry, ...targets])]
    .map((target) => (target.startsWith(root) ? relative(root, target).split(sep).join('/') : target))
    .sort()
}

test('every test file pays for the setup file: it loads a few files of its own, vitest and built-ins of a worker', () => {
  expect(loadedBy('packages/vitest/src/setup.ts')).toEqual([
    'node:async_hooks',
    'node:diagnostics_channel',
    'node:net',
    'packages/session/src/allowance.ts',
    'packages/session/src/api-keys.ts',
    'packages/session/src/runner/count-duplicates.ts',
    'packages/session/src/scope.ts',
    'packages/session/src/seam/connect-target.ts',
    'packages/session/src/seam/install-seam.ts',
    'packages/session/src/seam/shared.ts',
    'packages/session/src/seam/undici-sockets.ts',
    'packages/session/src/seam/without-cassette.ts',
    'packages/session/src/set-up.ts',
    'packages/vitest/src/set-up.ts',
    'packages/vitest/src/setup.ts',
    'packages/vitest/src/task-run.ts',
    'packages/vitest/src/task-test.ts',
    'packages/vitest/src/worker-state.ts',
    'vitest',
  ])
})
