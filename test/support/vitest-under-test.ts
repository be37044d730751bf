import { join, resolve } from 'node:path'

const repository = resolve(import.meta.dirname, '../..')
// Set by scripts/compat.ts: a folder of this repository with another Vitest in its node_modules.
const other = process.env.RETAKE_TEST_VITEST

/** The Vitest that projects under test run. */
export const vitestProgram = join(other ?? repository, 'node_modules/vitest/vitest.mjs')

/** Where projects are made, so that they find that Vitest, `retake` and the SDKs. */
export const projectsFolder = other ?? join(repository, 'test/.tmp')
