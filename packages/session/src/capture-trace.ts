import type { ReplayFixture, TraceCapture, TraceCaptureOptions } from '@retake/formats'
import { refuseSecrets, type StepExtras, type Trace } from '@retake/trace'
import { formats } from './late-formats.ts'

/** The decisions of an application in a test, beside the traffic of its cassette. */
export interface CassetteTraceCapture extends TraceCapture {
  /**
   * The run so far as an AgentsKit fixture: what was asked and answered, and the decisions. A request has no place there
   * for the model and most params, and a step for when a tool ran.
   * @throws SecretFoundError where it holds a credential
   */
  fixture(): ReplayFixture
}

/** They are kept on this handle only: the steps of a cassette are what a replay gives back, and decisions are not given. */
export function captureTrace(
  run: { readonly trace: Trace; readonly extras: readonly StepExtras[] },
  options: TraceCaptureOptions = {},
): CassetteTraceCapture {
  const { createReplayFixture, createTraceCapture, toAgentskit } = formats()
  const capture = createTraceCapture(options)
  return {
    ...capture,
    fixture() {
      const { cassette } = toAgentskit({ trace: run.trace, extras: [...run.extras] })
      const fixture = createReplayFixture(cassette, capture.snapshot())
      refuseSecrets(fixture)
      return fixture
    },
  }
}
