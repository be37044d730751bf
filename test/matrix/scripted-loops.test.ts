import { existsSync, readFileSync } from 'node:fs'
import { diffTraces } from '@retake/compare'
import { modelInput, type ScriptedReply } from '@retake/session'
import { loadTrace, terminalOutcome, toolPathOf, verifyFile } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { answers, asks, loops } from './all-loops.ts'
import { says } from './replies.ts'

const nowhere = 'http://127.0.0.1:9'
const calls = [{ toolName: 'get_weather', toolInput: { city: 'Rome' } }, { toolName: 'get_time' }]
const script: ScriptedReply[] = [{ type: 'tool_calls', text: 'Let me look.', calls }, 'It is warm in Rome.']

describe('a script is the whole model, with nobody to ask and no file', () => {
  test.each(Object.entries(loops))('%s', async (_, loop) => {
    await using file = await temporaryCassette()
    const { value, result, cassette } = await inTest(file.path, { script }, () => loop(nowhere))
    expect(result).toMatchObject({ kind: 'scripted', errors: [], liveCalls: 0 })
    expect(JSON.stringify(value)).toContain('It is warm in Rome.')
    expect(toolPathOf(cassette.trace)).toEqual(['get_weather', 'get_time'])
    expect(JSON.stringify(cassette.trace)).toContain('18 °C in Rome')
    expect(existsSync(file.path)).toBe(false)
  })
})

describe('a fork goes on behind a recorded first turn with a script', () => {
  test.each(Object.entries(loops))('%s', async (_, loop) => {
    await using file = await temporaryCassette()
    await using provider = await startFakeProvider({ replies: [says(asks), says(answers, 1)] })
    await inTest(file.path, {}, () => loop(provider.url))
    await provider.stop()
    const fork = { at: modelInput(2), then: ['Who can say?'] }
    const forked = await inTest(file.path, { fork }, () => loop(provider.url))
    expect(forked.result).toMatchObject({ kind: 'recorded', errors: [], liveCalls: 0, replayedCalls: 1 })
    expect(JSON.stringify(forked.value)).toContain('Who can say?')

    const [parent, child] = [loadTrace(file.path), loadTrace(forked.cassette.path)]
    expect(verifyFile(forked.cassette.path).pass).toBe(true)
    const at = parent.steps.findLastIndex(({ type }) => type === 'model_input')
    expect(diffTraces(parent, child).firstDivergenceIndex).toBe(at)
    expect(terminalOutcome(child)).toEqual({ status: 'success', result: 'Who can say?' })
    const before = readFileSync(forked.cassette.path)

    const again = await inTest(file.path, { fork }, () => loop(nowhere))
    expect(again.result).toMatchObject({ kind: 'replayed', errors: [], replayedCalls: 2, unused: 0 })
    expect(readFileSync(forked.cassette.path)).toEqual(before)
  })
})
