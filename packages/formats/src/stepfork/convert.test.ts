import { type JsonObject, verifyTrace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { bundleNames, bundlePath, newFolder } from '../../test/corpus-bundles.ts'
import { readRun } from '../read-run.ts'
import { diffStepfork } from './diff-bundles.ts'
import { stepfork } from './format.ts'
import { loadStepfork } from './load-bundle.ts'
import { saveFolder } from './save-bundle.ts'
import { validateStepfork } from './validate-bundle.ts'

const names = bundleNames.map((name) => name.replace('.sftrace', ''))

const thereAndBack = (name: string): string => {
  const written = stepfork.write?.(readRun(bundlePath(name)))
  if (!written || !('files' in written)) throw new TypeError('no folder was written')
  const folder = `${newFolder()}/back.sftrace`
  saveFolder(written.files, folder, {})
  return folder
}

describe.each(names)('%s', (name) => {
  test('is a trace that passes every check', () => {
    const { format, trace } = readRun(bundlePath(name))
    expect(format).toBe('stepfork')
    expect(verifyTrace(trace).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  })

  test('comes back as a bundle that is sound where it was', () => {
    const [before, after] = [bundlePath(name), thereAndBack(name)].map((folder) => {
      const { structure, hashes } = validateStepfork(folder)
      return { structure, hashes }
    })
    expect(after).toEqual(before)
    expect(validateStepfork(thereAndBack(name)).state).toBe('verified')
  })
})

// The failed tool gave an output beside its error, and the real exchange is written as OpenAI's API of today says it.
test.each(names.filter((name) => !['failed_tool_run', 'incident-triage'].includes(name)))(
  '%s does the same after a way through a trace',
  (name) => {
    expect(diffStepfork(loadStepfork(bundlePath(name)), loadStepfork(thereAndBack(name))).differences).toEqual([])
  },
)

test('what is lost on the way of the others was told', () => {
  const { lost } = readRun(bundlePath('failed_tool_run'))
  expect(lost).toContainEqual({ where: 'evt_tool_003 output', what: 'of a failure only class and message are kept' })
  const triage = readRun(bundlePath('incident-triage'))
  expect(triage.lost).toContainEqual({
    where: 'events.jsonl llm_request, llm_response',
    what: 'ids, times and null members of bodies are made anew; request fields that change no answer are left out',
  })
})

test('an exchange with a known API becomes a request and a reply, tools and terminal step beside it', () => {
  const { trace, extras, missing } = readRun(bundlePath('incident-triage'))
  const { steps } = trace
  const request = steps.find(({ type }) => type === 'model_input')?.payload as JsonObject
  expect(request).toMatchObject({
    model: 'gemini-2.5-flash',
    params: { temperature: 0, maxTokens: 2000 },
    systemPrompt: expect.stringContaining('incident triage'),
  })
  expect(steps.filter(({ type }) => type === 'tool_call')).toHaveLength(5)
  expect(steps.at(-1)?.payload).toMatchObject({ event: 'run_completed', status: 'success' })
  expect(extras[0]?.tokens).toMatchObject({ input: 854, output: 311 })
  expect(missing).toEqual([])
})

test.each([
  ['successful_run', 'evt_success_002 provider', 'the protocol: the provider is none that retake speaks'],
  [
    'langgraph_failure',
    'evt_d164cfd62e524aefb1d21ce258c1c8e0 provider',
    'the protocol: the provider is none that retake speaks',
  ],
])('%s lacks what a replay through an SDK needs', (name, where, what) => {
  expect(readRun(bundlePath(name)).missing?.[0]).toEqual({ where, what })
})
