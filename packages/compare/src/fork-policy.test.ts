import { loadTrace, type Trace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { continueTrace } from './continue-trace.ts'
import { diffTraces } from './diff-traces.ts'
import { forkTrace } from './fork-trace.ts'
import { toHistory } from './to-history.ts'
import { nextToolCallId } from './tool-call-ids.ts'

const parent: Trace = loadTrace(new URL('../../../test/corpus/blackbox/fork-parent.v2.json', import.meta.url).pathname)
const changed = { at: 4, toolResultMutations: { 3: { flights: [] } } }
const next = { type: 'model_input' as const, payload: { messages: [], tools: [] }, timestamp: 1 }

describe('Fork Policy: the fork of a trace without a command', () => {
  test('1. parentId is set to the id of the parent', () => {
    expect(forkTrace(parent, { at: 4 }).parentId).toBe(parent.id)
  })

  test('2. forkedFromStepId is set to the id of the parent step at forkIndex, also with mutations before it', () => {
    for (const options of [{ at: 4 }, changed]) {
      expect(forkTrace(parent, options).forkedFromStepId).toBe(parent.steps[4]?.id)
    }
  })

  test("3. the first divergent step's prevHash equals the hash of the last shared step", () => {
    for (const [options, at] of [
      [{ at: 4 }, 4],
      [changed, 3],
    ] as const) {
      const child = continueTrace(forkTrace(parent, options), [next])
      expect(diffTraces(parent, child).firstDivergenceIndex).toBe(at)
      expect(child.steps[at]?.prevHash).toBe(parent.steps[at - 1]?.hash)
    }
  })

  test('no mutations: the steps before forkIndex are copied verbatim, and divergence begins at forkIndex', () => {
    for (let at = 0; at < parent.steps.length - 1; at++) {
      const child = continueTrace(forkTrace(parent, { at }), [next])
      expect(child.steps.slice(0, at)).toEqual(parent.steps.slice(0, at))
      expect(diffTraces(parent, child).firstDivergenceIndex).toBe(at)
    }
  })

  test('with mutations: steps from the first one to forkIndex get new hashes and keep their timestamps', () => {
    const child = forkTrace(parent, { at: 8, toolResultMutations: { 7: 'other' } })
    expect(child.steps.slice(0, 7)).toEqual(parent.steps.slice(0, 7))
    expect(child.steps[7]?.hash).not.toBe(parent.steps[7]?.hash)
    expect(child.steps.map(({ timestamp }) => timestamp)).toEqual(
      parent.steps.slice(0, 8).map(({ timestamp }) => timestamp),
    )
  })

  test('structured reconstruction: a mutated tool_result keeps toolCallId and toolName, and replaces only the result', () => {
    const [before, after] = [parent, forkTrace(parent, changed)].map(({ steps }) => Object(steps[3]?.payload))
    expect(after).toEqual({ toolCallId: before.toolCallId, toolName: before.toolName, result: { flights: [] } })
    expect(toHistory(forkTrace(parent, changed)).at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', ...after }],
    })
  })

  test('structured reconstruction: the next toolCallId is past the ids of the prefix', () => {
    expect(nextToolCallId(forkTrace(parent, { at: 4 }))).toBe('call-1')
    expect(nextToolCallId(forkTrace(parent, { at: 8 }))).toBe('call-2')
  })

  test('fork-point semantics: any step but metadata, and the prefix is steps[0, forkIndex)', () => {
    for (const { index, type } of parent.steps) {
      const fork = () => forkTrace(parent, { at: index })
      if (type === 'metadata') expect(fork).toThrow(/metadata, from which no run goes on/)
      else expect(fork().steps).toEqual(parent.steps.slice(0, index))
    }
  })

  test('mutation constraint: no model_input between the earliest mutation and forkIndex', () => {
    expect(() => forkTrace(parent, { at: 5, toolResultMutations: { 3: 0 } })).toThrow(
      /would leave the model_input at step 4 stale/,
    )
  })
})
