import { ConfigError } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import type { Mode } from './cassette.ts'
import { resolveMode } from './mode.ts'

const modes: Mode[] = ['auto', 'replay', 'update', 'off']

describe('without CI', () => {
  test('the environment wins over option and flag', () => {
    for (const env of modes) expect(resolveMode({ env, option: 'replay', flag: 'update', ci: false })).toBe(env)
  })

  test('RETAKE=auto takes an option and a flag back', () => {
    expect(resolveMode({ env: 'auto', option: 'update', flag: 'update', ci: false })).toBe('auto')
  })

  test('the option wins over the flag unless it is auto', () => {
    expect(resolveMode({ option: 'replay', flag: 'update', ci: false })).toBe('replay')
    expect(resolveMode({ option: 'off', flag: 'update', ci: false })).toBe('off')
    expect(resolveMode({ option: 'auto', flag: 'update', ci: false })).toBe('update')
  })

  test('nothing said means auto', () => {
    expect(resolveMode({ ci: false })).toBe('auto')
    expect(resolveMode({ env: '', option: undefined, flag: '', ci: false })).toBe('auto')
  })
})

describe('under CI', () => {
  test('auto and update become replay, whoever asked', () => {
    expect(resolveMode({ ci: true })).toBe('replay')
    expect(resolveMode({ env: 'auto', ci: true })).toBe('replay')
    expect(resolveMode({ option: 'update', ci: true })).toBe('replay')
    expect(resolveMode({ flag: 'update', ci: true })).toBe('replay')
    expect(resolveMode({ option: 'auto', flag: 'update', ci: true })).toBe('replay')
  })

  test('RETAKE=update still records, whatever the option', () => {
    for (const option of modes) expect(resolveMode({ env: 'update', option, ci: true })).toBe('update')
  })

  test('off and replay stay', () => {
    expect(resolveMode({ option: 'off', ci: true })).toBe('off')
    expect(resolveMode({ env: 'off', ci: true })).toBe('off')
    expect(resolveMode({ env: 'replay', ci: true })).toBe('replay')
  })
})

describe('a bad value', () => {
  const refusal = (sources: Parameters<typeof resolveMode>[0]) => {
    try {
      resolveMode(sources)
    } catch (error) {
      return error
    }
    return undefined
  }

  test('names the source and what it takes', () => {
    const error = refusal({ env: 'recrod', ci: false })
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({
      message: 'RETAKE is "recrod", but it must be auto, replay, update or off',
      details: { source: 'RETAKE', allowed: modes },
    })
  })

  test('is refused for the option and the flag too, even where RETAKE decides', () => {
    expect(refusal({ env: 'off', option: 'Replay' as Mode, ci: false })).toMatchObject({
      details: { source: 'mode' },
    })
    expect(refusal({ env: 'off', flag: 'replay', ci: false })).toMatchObject({
      message: 'RETAKE_FLAG is "replay", but it must be update or review',
    })
  })

  test('says whose word record and fork are', () => {
    expect(refusal({ env: 'record', ci: false })).toMatchObject({
      message: expect.stringContaining('record and fork belong to the retake command'),
    })
  })
})
