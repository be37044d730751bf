import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { compareRequests } from 'retake/compare'
import v3 from 'retake/schema/v3.json' with { type: 'json' }
import { CURRENT_TRACE_VERSION, loadTrace, saveTrace, stepHash, verifyTrace } from 'retake/trace'

const step = {
  id: 'run_1:0',
  index: 0,
  type: 'model_input',
  timestamp: 1764460800000,
  payload: { messages: [{ role: 'user', content: 'Where is A-77?' }], tools: [] },
  prevHash: null,
}
const trace = {
  version: CURRENT_TRACE_VERSION,
  id: 'run_1',
  createdAt: step.timestamp,
  steps: [{ ...step, hash: stepHash(step) }],
}

saveTrace(trace, 'run.cassette.json')
assert.deepEqual(loadTrace('run.cassette.json'), trace)
assert.equal(verifyTrace(trace).pass, true)
await rm('run.cassette.json')

const differences = compareRequests(step.payload, { ...step.payload, systemPrompt: 'Be kind.' })
assert.deepEqual(
  differences.map(({ path, kind }) => ({ path, kind })),
  [{ path: 'systemPrompt', kind: 'added' }],
)

assert.equal(v3.properties.version.const, 3)
