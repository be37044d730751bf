import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatCassette } from '../format-cassette.ts'
import { parseCassette } from '../parse-cassette.ts'
import { TraceRecorder } from '../trace-recorder.ts'
import { verifyCassette } from './verify-cassette.ts'
import { verifyTrace } from './verify-trace.ts'

const corpus = join(import.meta.dirname, '../../../../test/corpus/blackbox')
const files = readdirSync(corpus).filter((name) => name.endsWith('.json'))
const verdicts = ({ checks }: ReturnType<typeof verifyTrace>) => checks.map(({ name, status }) => `${name} ${status}`)

describe.each(files)('%s', (name) => {
  const v2 = parseCassette(readFileSync(join(corpus, name), 'utf8'))
  const v3 = parseCassette(formatCassette({ ...v2, format: 'v3' }))

  test('loaded from either format passes the checks that its trace passes', () => {
    expect(v3.format).toBe('v3')
    for (const file of [v2, v3]) expect(verdicts(verifyCassette(file))).toEqual(verdicts(verifyTrace(file.trace)))
  })

  test('with a wrong hash in version 2 fails its chain', () => {
    const steps = v2.trace.steps.map((step) => ({ ...step, hash: step.hash.replaceAll(/./g, '0') }))
    const { checks } = verifyCassette({ ...v2, trace: { ...v2.trace, steps } })
    expect(checks.find(({ status }) => status === 'fail')).toMatchObject({ name: 'hash_chain', where: 'step 0' })
  })
})

test('a v3 cassette whose payload has no specified shape fails', () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('tool_call', { toolName: 'lookup' }, 0)
  const file = parseCassette(formatCassette({ trace: recorder.toTrace(), format: 'v3', extras: [] }))
  expect(verifyCassette(file).checks.find(({ status }) => status === 'fail')).toMatchObject({ name: 'payload_shape' })
})
