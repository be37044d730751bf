import { readFileSync } from 'node:fs'
import { createScope, openCassette, runInScope } from '@retake/session'
import {
  formatTrace,
  loadTrace,
  parseTrace,
  TraceRecorder,
  terminalOutcome,
  verifyFile,
  verifyTrace,
} from '@retake/trace'
import { describe, expect, test } from 'vitest'
import type { RunEnd } from '../../packages/session/src/run-end.ts'
import { writeCassette } from '../../packages/session/src/write-cassette.ts'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { temporaryCassette } from './in-test.ts'
import { apiKey, chatRequest, openaiAt } from './sdk-clients.ts'

/** Records one run that ends like this; `agent` may leave something running. */
async function record(replies: Scripted[], end: RunEnd | undefined, agent?: (url: string) => Promise<unknown>) {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies })
  const scope = createScope('a run')
  const session = openCassette(
    { name: 'run', path: file.path, mode: 'auto', ci: false, test: { file: '', name: 'a run' }, redact: [/Ada/] },
    scope,
  )
  await runInScope(scope, () =>
    agent ? agent(provider.url) : openaiAt(provider.url).chat.completions.create(chatRequest()),
  )
  if (end && 'exitCode' in end) {
    const { write } = session.finishAtExit(end)
    expect(write).toBeDefined()
    if (write) await writeCassette(write)
  } else {
    expect(await session.finish('passed', end)).toMatchObject({ kind: 'recorded', errors: [] })
  }
  expect(verifyFile(file.path).pass).toBe(true)
  return { steps: loadTrace(file.path).steps, text: readFileSync(file.path, 'utf8') }
}

const asksForTool = chatReply({ tool_calls: [chatCall('call_1', 'lookup', { n: 1 })] })

describe('Terminal Metadata Payloads', () => {
  test('successful completion: the last answer is the result', async () => {
    const { steps } = await record([chatReply({ content: 'Done.' })], undefined)
    expect(steps.at(-1)).toMatchObject({
      type: 'metadata',
      payload: { event: 'run_completed', status: 'success', result: 'Done.' },
    })
  })

  test('successful completion: a result of the agent takes its place', async () => {
    const { steps } = await record([chatReply({ content: 'Done.' })], { result: 'refunded to Ada' })
    expect(steps.at(-1)?.payload).toEqual({
      event: 'run_completed',
      status: 'success',
      result: 'refunded to [redacted]',
    })
  })

  test('a run that ends without an answer has no terminal step', async () => {
    const { steps } = await record([asksForTool], undefined)
    expect(steps.at(-1)?.type).toBe('model_output')
  })

  test('agent_error: its message, masked for keys', async () => {
    const message = `no order of Ada with ${apiKey}`
    const { steps, text } = await record([asksForTool], { error: message })
    expect(steps.at(-1)?.payload).toEqual({
      event: 'run_failed',
      status: 'error',
      reason: 'agent_error',
      message: 'no order of [redacted] with [redacted]',
    })
    expect(text).not.toContain(apiKey)
  })

  test('process_exit: the exit code', async () => {
    const { steps } = await record([asksForTool], { exitCode: 3, inFlight: 0 })
    expect(steps.at(-1)?.payload).toEqual({
      event: 'run_failed',
      status: 'error',
      reason: 'process_exit',
      exitCode: 3,
    })
  })

  test('calls_in_flight: how many, and nothing of them', async () => {
    const end: RunEnd = { exitCode: 130, inFlight: 1 }
    const never = () => new Promise<never>(() => {})
    const { steps } = await record([chatReply({ content: 'Done.' }), never], end, async (url) => {
      await openaiAt(url).chat.completions.create(chatRequest())
      void openaiAt(url)
        .chat.completions.create(chatRequest('And now?'))
        .catch(() => {})
      await new Promise((done) => setTimeout(done, 50))
    })
    expect(steps.map(({ type }) => type)).toEqual(['model_input', 'model_output', 'metadata'])
    expect(steps.at(-1)?.payload).toEqual({
      event: 'run_failed',
      status: 'error',
      reason: 'calls_in_flight',
      exitCode: 130,
      inFlight: 1,
    })
  })

  test.each([
    ['max_steps_exceeded', { maxSteps: 8 }],
    ['unknown_tool', { toolName: 'refnud' }],
    // As the public fixture has it.
    ['unknown_tool', { toolName: 'refnud', toolCallId: 'call-0' }],
  ])('%s of the built-in loop: read, verified and shown as how the run ended', (reason, more) => {
    const payload = { event: 'run_failed', status: 'error', reason, ...more }
    const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
    recorder.append('model_input', { messages: [], tools: [] }, 1)
    recorder.append('metadata', payload, 2)
    const trace = parseTrace(formatTrace(recorder.toTrace()))
    expect(verifyTrace(trace).pass).toBe(true)
    expect(terminalOutcome(trace)).toEqual({ status: 'error', reason, payload })
  })
})
