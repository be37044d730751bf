import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installBuild } from '../../scripts/install-build.ts'

const repository = resolve(import.meta.dirname, '../..')
const source = join(repository, 'packages/retake')

/** Where projects for Jest are made: `retake` is there as it is published, since Jest cannot run its sources. */
export const jestProjects = (jest: 29 | 30): string => join(repository, `runners/jest${jest}/.tmp`)

/** Builds `retake` unless the build is newer than every source. Vitest calls it before the tests that need it. */
export const setup = async (): Promise<void> => {
  if (!isBuilt()) build()
  for (const jest of [29, 30] as const) await installBuild(jestProjects(jest))
}

const isBuilt = (): boolean => {
  const outputs = ['cli.mjs', 'jest.cjs', 'vitest-setup.mts'].map((name) => join(source, 'dist', name))
  return outputs.every(existsSync) && Math.min(...outputs.map(changedAt)) > newestSource()
}

const changedAt = (file: string): number => statSync(file).mtimeMs

const newestSource = (): number =>
  Math.max(
    ...globSync(['packages/*/{src,bin}/**/*.*', 'packages/*/*.{json,ts}'], { cwd: repository }).map((file) =>
      changedAt(join(repository, file)),
    ),
  )

const build = (): void => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], {
    cwd: repository,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`retake could not be built for the tests:\n${stdout}${stderr}`)
}
