import { currentScope, endScope, type TestScope, takeLateErrors } from '@retake/session/set-up'
import type { CircusHandler, CircusState, CircusTest } from './circus.ts'
import { listEachHooks, listTests, numberTests } from './file-tests.ts'
import { foldMismatches, rememberMismatch } from './fold-mismatches.ts'
import { inScope } from './in-scope.ts'
import { late } from './load-late.ts'
import { addUnreached, hideOwnFrames, presentErrors, presentLateErrors } from './present-errors.ts'
import { writeFileReport } from './run-folder.ts'
import { recordingTimeout } from './settings.ts'
import { type JestRun, runOf, type TestFile } from './test-file.ts'
import { useImplicitly } from './use-in-file.ts'

/** Follows one test file through Jest's events: each test runs in a scope, and its cassette ends with it. */
export const followEvents =
  (file: TestFile, root: string, mayRaiseTimeout: boolean): CircusHandler =>
  async (event, state) => {
    switch (event.name) {
      case 'setup':
        file.globals = event.runtimeGlobals
        break
      case 'run_start':
        file.phase = 'run'
        if (mayRaiseTimeout && state.testTimeout === defaultTimeout) state.testTimeout = recordingTimeout
        prepareTests(file, state)
        break
      case 'test_start':
        begin(file, event.test)
        break
      case 'test_skip':
      case 'test_todo':
        endRun(file, event.test)
        break
      case 'test_done':
        await finishTest(file, event.test)
        break
      case 'run_finish':
        state.unhandledErrors.push(...lateErrors(file))
        foldMismatches(file)
        writeFileReport(file, root, listTests(state.rootDescribeBlock))
        break
    }
  }

const defaultTimeout = 5_000

/** Before Jest 29 starts the concurrent ones. */
const prepareTests = (file: TestFile, state: CircusState): void => {
  const tests = listTests(state.rootDescribeBlock)
  file.duplicates = numberTests(tests)
  for (const test of tests) if (test.fn) test.fn = inScope(test.fn, () => begin(file, test))
  for (const hook of listEachHooks(state.rootDescribeBlock)) {
    hook.fn = inScope(hook.fn, () => {
      const test = currentTest(file, state)
      return test && begin(file, test)
    })
  }
}

/** The test that a hook runs for. In Jest 30 those of concurrent tests overlap. */
const currentTest = ({ globals }: TestFile, { currentlyRunningTest }: CircusState): CircusTest | undefined =>
  (globals?.expect.getState().currentTestIdentity?.() as CircusTest | undefined) ?? currentlyRunningTest ?? undefined

const begin = (file: TestFile, test: CircusTest): TestScope => {
  const run = runOf(file, test)
  if (file.settings.options.everyTest && !run.cassette && currentScope() !== run.scope) useImplicitly(file, run)
  return run.scope
}

const endRun = (file: TestFile, test: CircusTest): JestRun | undefined => {
  const run = file.runs.get(test)
  file.runs.delete(test)
  if (run) endScope(run.scope)
  run?.progress?.end()
  return run
}

/** Fails the attempt for what the session found wrong, even if the test swallowed it, or is marked to fail. */
const finishTest = async (file: TestFile, test: CircusTest): Promise<void> => {
  file.done.add(test)
  const run = file.runs.get(test)
  if (run && (run.cassette || run.refusals.length > 0 || run.refusedUrl !== undefined)) {
    const { errors, unreached } = await late().endTest(file, run)
    test.errors = presentErrors(file, test, errors)
    rememberMismatch(file, run)
    if (unreached > 0) addUnreached(test, unreached)
  }
  hideOwnFrames(test)
  endRun(file, test)
}

const lateErrors = (file: TestFile): Error[] => {
  const errors = takeLateErrors().filter(({ details }) => !file.failed.has(String(details.test)))
  return errors.length > 0 ? presentLateErrors(file, errors) : []
}
