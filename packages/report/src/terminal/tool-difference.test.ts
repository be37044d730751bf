import { stripVTControlCharacters } from 'node:util'
import { compareValues } from '@retake/compare'
import type { JsonValue } from '@retake/trace'
import { expect, test } from 'vitest'
import { createStyle } from './style.ts'
import { renderToolDifference } from './tool-difference.ts'

const render = (recorded: JsonValue, received: JsonValue, colors = false): string =>
  renderToolDifference({
    tool: 'lookup_order',
    recorded,
    received,
    differences: compareValues(recorded, received),
    style: createStyle({ colors }),
  })

test('a changed argument shows both values, what is equal, and who asked for what', () => {
  expect(render({ orderId: 'A-77', includeTax: true }, { orderId: 'A-078', includeTax: true })).toBe(
    `
  - Recorded    + Received
    orderId  - "A-77"
             + "A-078"
    equal: includeTax
  Recorded was a call with orderId "A-77"; your code called the tool with "A-078".`.slice(1),
  )
})

test('an argument more and one less are lines of one side', () => {
  const more = render({ a: 1 }, { a: 1, b: { c: [] } })
  expect(more).toContain('    b  + {"c":[]}\n')
  expect(more).toContain('a call without b; your code called the tool with b {"c":[]}.')
  expect(render({ a: 1, b: 2 }, { a: 1 })).toContain('a call with b 2; your code called the tool without b.')
})

test('arguments that are no object are compared whole', () => {
  expect(render('ls', 'ls -a')).toContain('    (all)  - "ls"\n           + "ls -a"\n')
})

test('many changed arguments fit, and what has no room is counted', () => {
  const args = (add: number) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, at + add]))
  const lines = render(args(0), args(1)).split('\n')
  expect(lines.length).toBeLessThanOrEqual(25)
  expect(lines.join('\n')).toMatch(/… \d+ more differences/)
})

test('control characters are shown, not sent, and colours change no letter', () => {
  const [recorded, received] = [
    { a: '\u001b[2J', 'x\u202e': 1 },
    { a: '\u009b', 'x\u202e': 2 },
  ]
  expect(render(recorded, received)).toContain('\\u009b')
  expect(render(recorded, received)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(stripVTControlCharacters(render(recorded, received, true))).toBe(render(recorded, received))
})

test('what a tool gave is no call: no sentence blames its caller', () => {
  const differences = compareValues({ result: { v: 1 } }, { result: { v: 2 } })
  const style = createStyle({ colors: false })
  expect(renderToolDifference({ tool: 'lookup', of: 'result', differences, style })).toBe(
    `
  - Recorded    + Received
    result.v  - 1
              + 2
  With tools: 'run' the tool runs, and has to give what is recorded.`.slice(1),
  )
})
