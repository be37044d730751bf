import type { TestProject, Vitest } from 'vitest/node'

/** The time-out of a test while it may be recorded, where the user set none, in milliseconds. */
const recordingTimeout = 120_000

interface Written {
  testTimeout?: number
}

/** The part of a config file that is looked at, as it was written. */
export interface WrittenConfig {
  test?: Written & { projects?: unknown[] }
}

/** Gives tests that may be recorded more time than Vitest would, unless somebody said how much they get. */
export const allowForRecording = (vitest: Vitest, project: TestProject, written: WrittenConfig): void => {
  if (!isChosen(vitest, project, written)) project.config.testTimeout = recordingTimeout
}

const defaultTimeout = 5_000

/** A time-out of the default's length may be somebody's choice all the same. */
const isChosen = (vitest: Vitest, { config, name }: TestProject, { test }: WrittenConfig): boolean => {
  // Vitest 5 resolves a project that extends the root without asking plugins again.
  const declared = test?.projects?.find((candidate) => nameOf(candidate) === name) as WrittenConfig | undefined
  const sources = [test, declared?.test, commandLineOf(vitest)]
  return config.testTimeout !== defaultTimeout || sources.some((source) => source?.testTimeout !== undefined)
}

const nameOf = (project: unknown): string | undefined => {
  const { test } = Object(project) as { test?: { name?: string | { label: string } } }
  return typeof test?.name === 'object' ? test.name.label : test?.name
}

/** Where Vitest 5, and 4, keep it. Not documented: where it is gone, the default counts. */
const commandLineOf = (vitest: Vitest): Written | undefined =>
  (vitest.config as { cliOptions?: Written }).cliOptions ?? (vitest as { _cliOptions?: Written })._cliOptions
