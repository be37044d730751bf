/**
 * Starts with retake as a stranger does, in an empty folder, with each package manager and Vitest that it supports.
 * Usage: `node scripts/fresh-project.ts [names…]`; without names all, see `freshStarts`. Needs the build.
 */
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFreshProject, freshStarts } from './fresh-project/check-fresh-project.ts'
import { runAsStranger } from './pack-check/run-as-stranger.ts'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !freshStarts.some((start) => start.name === name))
if (unknown.length > 0) {
  throw new TypeError(`no such start: ${unknown}; there are ${freshStarts.map(({ name }) => name).join(', ')}`)
}

const folder = await mkdtemp(join(tmpdir(), 'retake-packed-'))
try {
  await runAsStranger(join(import.meta.dirname, '..'), `npm pack -w retake --pack-destination ${folder}`)
  const [tarball = ''] = globSync('*.tgz', { cwd: folder })
  for (const start of freshStarts) {
    if (names.length === 0 || names.includes(start.name)) await checkFreshProject(start, join(folder, tarball))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
