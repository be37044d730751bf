import { expect, test } from 'vitest'
import { sealed } from '../../test/seal.ts'
import { v3Sample } from '../../test/v3-sample.ts'
import { CassetteConflictError, CassetteCorruptError, type RetakeError } from '../error.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'
import { parseCassette } from '../parse-cassette.ts'

function errorOf(text: string): RetakeError {
  try {
    parseCassette(text, { path: 'a.cassette.json' })
  } catch (error) {
    return error as RetakeError
  }
  throw new Error('the text was accepted')
}

/** The error for the sample after a change that was sealed on purpose; the place by its line. */
function refusal(change: (file: { [key: string]: JsonValue } & { steps: JsonObject[] }) => void): string {
  const file = JSON.parse(v3Sample)
  change(file)
  const text = JSON.stringify(sealed(file), null, 1)
  const error = errorOf(text)
  expect(error).toBeInstanceOf(CassetteCorruptError)
  const [reason, place] = error.message.split('\n')
  expect(place).toBe(`  a.cassette.json:${error.details.line}:${error.details.column}`)
  const line = text.split('\n')[(error.details.line as number) - 1] as string
  return `${reason?.replace('the cassette is broken: ', '')} @ ${line.slice((error.details.column as number) - 1)}`
}

const step = (index: number, members: JsonObject) => (file: { steps: JsonObject[] }) => {
  Object.assign(file.steps[index] as JsonObject, members)
}
const messages = (items: JsonValue[]) => step(4, { payload: { messages: items } })

test.each<[string, (file: { [key: string]: JsonValue } & { steps: JsonObject[] }) => void]>([
  [
    'there is a member that the format does not know @ {',
    (file) => {
      file.index = 1
    },
  ],
  ['there is a member that the format does not know @ {', step(1, { index: 1 })],
  [
    'id is missing @ {',
    (file) => {
      delete file.id
    },
  ],
  [
    'at is missing @ {',
    (file) => {
      delete file.at
    },
  ],
  [
    'createdAt is not of its kind @ 0.5,',
    (file) => {
      file.createdAt = 0.5
    },
  ],
  [
    'parentId is not of its kind @ null,',
    (file) => {
      Object.assign(file, { parentId: null })
    },
  ],
  [
    'test is not of its kind @ "x",',
    (file) => {
      file.test = 'x'
    },
  ],
  [
    'name is missing @ {',
    (file) => {
      file.test = { file: 'x' }
    },
  ],
  [
    'at is not of its kind @ [',
    (file) => {
      file.at = [1, 2, 3, 4, 0.5]
    },
  ],
  [
    'at has not one time for each step @ [',
    (file) => {
      file.at = [1]
    },
  ],
  [
    'a time is out of range @ 9007199254740991',
    (file) => {
      file.at = [1, 2, 3, 4, 2 ** 53 - 1]
    },
  ],
  [
    'steps is not of its kind @ {},',
    (file) => {
      Object.assign(file, { steps: {} })
    },
  ],
  [
    'an object is missing @ 7,',
    (file) => {
      Object.assign(file.steps, { 1: 7 })
    },
  ],
  ['type is not of its kind @ "secret",', step(1, { type: 'secret' })],
  [
    'payload is missing @ {',
    (file) => {
      delete file.steps[1]?.payload
    },
  ],
  ['id is not of its kind @ 1,', step(1, { id: 1 })],
  ['since is no earlier model_input with messages @ 4,', step(4, { since: 4 })],
  ['since is no earlier model_input with messages @ 1,', step(4, { since: 1 })],
  ['since is no earlier model_input with messages @ -1,', step(4, { since: -1 })],
  ['since is not of its kind @ "0",', step(4, { since: '0' })],
  ['since has no meaning here @ 0,', step(1, { since: 0 })],
  ['drop has no meaning here @ [', step(3, { drop: ['model'] })],
  ['drop is not of its kind @ [],', step(4, { drop: [] })],
  ['drop is not of its kind @ [', step(4, { drop: ['model', 'model'] })],
  ['drop names a member that is not gone @ [', step(4, { drop: ['messages'] })],
  ['drop names a member that is not gone @ [', step(4, { drop: ['params'] })],
  ['drop names a member that is not gone @ [', step(0, { drop: ['model'] })],
  ['order does not list the members of the payload @ [', step(4, { order: ['messages'] })],
  [
    'order does not list the members of the payload @ [',
    step(4, { order: ['messages', 'tools', 'systemPrompt', 'secret'] }),
  ],
  ['order is not of its kind @ [', step(4, { order: ['messages', 'messages', 'tools', 'model'] })],
  ['order has no meaning here @ [', step(1, { order: ['type'] })],
  [
    'order puts a number-like name behind others @ [',
    step(4, { payload: { 7: 1 }, order: ['messages', 'tools', 'systemPrompt', 'model', '7'] }),
  ],
  ['payload is no object @ [],', step(4, { payload: [] })],
  ['messages is no array @ {}', step(4, { payload: { messages: {} } })],
  ['$keep is no range of the messages it refers to @ {', messages([{ $keep: [0, 2] }])],
  ['$keep is no range of the messages it refers to @ {', messages([{ $keep: [1, 1] }])],
  ['$keep is no range of the messages it refers to @ {', messages([{ $keep: [0, 1, 1] }])],
  ['$keep is no range of the messages it refers to @ {', messages([{ $keep: 'all' }])],
  ['$keep stands in a step without since @ {', step(0, { payload: { messages: [{ $keep: [0, 1] }] } })],
  ['$keep has no meaning here @ {', step(1, { payload: { $keep: [0, 1] } })],
  ['$call has no meaning here @ {', messages([{ $call: 'call-0' }])],
  ['$call has no meaning here @ {', step(3, { payload: { result: { $call: 'call-0' } } })],
  ['$call names nothing that stands before it @ {', step(2, { payload: { $call: 'call-1' } })],
  ['$call names nothing that stands before it @ {', messages([{ role: 'user', content: [{ $call: 7 }] }])],
  ['$result names nothing that stands before it @ {', messages([{ role: 'user', content: [{ $result: 'call-1' }] }])],
  [
    '$lines is no list of two or more texts without line feeds @ {',
    step(3, { payload: { result: { $lines: ['one'] } } }),
  ],
  [
    '$lines is no list of two or more texts without line feeds @ {',
    step(3, { payload: { result: { $lines: ['one', 2] } } }),
  ],
  [
    '$lines is no list of two or more texts without line feeds @ {',
    step(3, { payload: { result: { $lines: ['one', 'a\nb'] } } }),
  ],
  [
    '$lines is no list of two or more texts without line feeds @ {',
    step(3, { payload: { result: { $lines: 'one' } } }),
  ],
  ['a text with a line feed is not written as $lines @ "a\\nb"', step(3, { payload: { result: ['a\nb'] } })],
])('%s', (expected, change) => {
  expect(refusal(change)).toBe(expected)
})

test('an edited step is named, and so is an edit of anything else', () => {
  const edited = errorOf(v3Sample.replace('late, 20 €', 'late, 30 €'))
  expect(edited.message).toBe(
    'the cassette is broken: step 3 was edited: it does not match its sum\n  a.cassette.json:25:5',
  )
  expect(edited.details).toMatchObject({ step: 3 })
  expect(errorOf(v3Sample.replace('"input": 312', '"input": 313')).message).toContain('the steps match their sums')
})

test('every truncation is refused as broken JSON', () => {
  for (let length = 0; length < v3Sample.trimEnd().length; length++) {
    expect(errorOf(v3Sample.slice(0, length)).message).toMatch(
      /^the cassette is broken: (the text ends too early|the file is empty|a )/,
    )
  }
  expect(parseCassette(v3Sample.trimEnd()).extras).toHaveLength(1)
})

test('conflict markers, duplicate members and a byte order mark are refused', () => {
  expect(errorOf(v3Sample.replace('  "at"', '<<<<<<< HEAD\n  "at"'))).toBeInstanceOf(CassetteConflictError)
  expect(errorOf(v3Sample.replace('"id": "run_7f3a"', '"id": "run_7f3a",\n  "id": "run_7f3a"')).message).toContain(
    'twice in one object',
  )
  expect(errorOf(`\ufeff${v3Sample}`).message).toContain('byte order mark')
})

test('a small file that expands without end is refused at once', () => {
  const steps: JsonObject[] = [{ type: 'model_input', payload: { messages: [{ role: 'user', content: 'x' }] } }]
  for (let turn = 1; turn <= 40; turn++) {
    const all = { $keep: [0, 2 ** (turn - 1)] }
    steps.push({ type: 'model_input', since: turn - 1, payload: { messages: [all, all] } })
  }
  const bomb = { version: 3, id: 'a', createdAt: 0, steps, at: steps.map(() => 0) }
  const start = performance.now()
  expect(errorOf(JSON.stringify(sealed(bomb))).message).toContain('the trace expands beyond 1073741824 characters')
  expect(performance.now() - start).toBeLessThan(5_000)
})

test('a large call that is referred to often counts every time', () => {
  const call = { toolCallId: 'call-0', toolName: 't', toolInput: 'x'.repeat(100_000) }
  const content = Array.from({ length: 12_000 }, () => ({ $call: 'call-0' }))
  const file = {
    version: 3,
    id: 'a',
    createdAt: 0,
    steps: [
      { type: 'model_output', payload: { type: 'tool_calls', calls: [call] } },
      { type: 'model_input', payload: { messages: [{ role: 'assistant', content }] } },
    ],
    at: [0, 0],
  }
  expect(errorOf(JSON.stringify(sealed(file))).message).toContain('the trace expands beyond')
})
