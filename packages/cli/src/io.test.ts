import { afterEach, expect, test, vi } from 'vitest'
import { createProcessIo } from './io.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  Reflect.deleteProperty(process.stdout, 'isTTY')
  Reflect.deleteProperty(process.stdout, 'columns')
})

const inTerminal = (env: Record<string, string | undefined>, columns = 200) => {
  Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true })
  Object.defineProperty(process.stdout, 'columns', { value: columns, configurable: true })
  for (const [name, value] of Object.entries({ NO_COLOR: undefined, CI: undefined, TERM: 'xterm', ...env })) {
    vi.stubEnv(name, value)
  }
  return createProcessIo()
}

test('a terminal gets colours, old red and new green', () => {
  const { style } = inTerminal({})
  expect(style.before('- a')).toBe('\u001b[31m- a\u001b[39m')
  expect(style.after('+ b')).toBe('\u001b[32m+ b\u001b[39m')
})

test.each([{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])('%o prints plain', (env) => {
  expect(inTerminal(env).style.before('- a')).toBe('- a')
})

test('no terminal prints plain', () => {
  inTerminal({})
  Object.defineProperty(process.stdout, 'isTTY', { value: false, configurable: true })
  expect(createProcessIo().style.before('- a')).toBe('- a')
})

test('lines are as wide as the terminal, and 100 columns at most', () => {
  expect(inTerminal({}, 80).width).toBe(80)
  expect(inTerminal({}, 300).width).toBe(100)
})

test('a terminal that was made narrower is as narrow from then on', () => {
  const io = inTerminal({}, 90)
  Object.defineProperty(process.stdout, 'columns', { value: 70, configurable: true })
  expect(io.width).toBe(70)
})
