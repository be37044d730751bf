import { titlesOf } from './file-tests.ts'
import { late } from './load-late.ts'
import { placeOf } from './present-errors.ts'
import type { JestRun, TestFile } from './test-file.ts'

/** Keeps what an attempt has reported for its cassette, for when the other tests of its file are over. */
export const rememberMismatch = ({ mismatches }: TestFile, { circus, test }: JestRun): void => {
  const [error] = circus.errors as [Partial<Error>?]
  const cause = test.reports?.[0]?.cause
  if (cause && error?.name === 'CassetteMismatchError' && !circus.failing) {
    mismatches.set(circus, { error: error as Error, what: String(error.message).split('\n', 1)[0] ?? '', cause })
  } else mismatches.delete(circus)
}

/**
 * Of tests in a file that differ from their cassettes in the same way the first shows how; the others name it. Called when
 * all of them are over: a test that is tried again reports its last attempt.
 */
export const foldMismatches = ({ mismatches }: TestFile): void => {
  const failed = [...mismatches].filter(([test, { error }]) => test.errors.includes(error))
  for (const [first, ...others] of Map.groupBy(failed, ([, { cause }]) => cause).values()) {
    if (!first) continue
    for (const [test, { error }] of others) {
      error.message = late().renderSameFailure(error.message, titlesOf(first[0]).join(' > '))
      error.stack = [`${error.name}: ${error.message}`, ...placeOf(test)].join('\n')
      delete error.cause
    }
  }
}
