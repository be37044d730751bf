import { formatPath, isJsonObject } from '@retake/trace'
import type { Loss } from '../loss.ts'
import type { AdapterChunk, AdapterRequest } from './adapter.ts'
import type { AdapterCassette } from './adapter-cassette.ts'
import type { ApplicationTraceRecord } from './application-trace.ts'

/** What of a fixture has no place in a trace. Ids and states of messages, which are made anew, are no loss. */
export function findLosses(cassette: AdapterCassette, traces: readonly ApplicationTraceRecord[] = []): Loss[] {
  const { seed, metadata, entries } = cassette
  return [
    ...(traces.length > 0 ? [{ where: 'traces', what: decisions(traces.length) }] : []),
    ...absent({ seed, metadata }, ['cassette'], 'has no place in a trace'),
    ...entries.flatMap(({ request, chunks }, index) => [
      ...lossesOfRequest(request, ['cassette', 'entries', index, 'request']),
      ...chunks.flatMap((chunk, at) => lossesOfChunk(chunk, ['cassette', 'entries', index, 'chunks', at])),
    ]),
  ]
}

const decisions = (count: number): string =>
  count === 1
    ? 'a decision of the application has no place in a trace'
    : `${count} decisions of the application have no place in a trace`

type Path = (string | number)[]

/** One for each of the members that is there. */
const absent = (members: Readonly<Record<string, unknown>>, path: Path, what: string): Loss[] =>
  Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [{ where: formatPath([...path, name]), what: `the member ${what}` }],
  )

function lossesOfRequest({ messages, context }: AdapterRequest, path: Path): Loss[] {
  const { systemPrompt: _, temperature: __, maxTokens: ___, tools, ...others } = context ?? {}
  const calls = messages.map(({ toolCalls }) => (Array.isArray(toolCalls) ? toolCalls.filter(isJsonObject) : []))
  return [
    ...absent(others, [...path, 'context'], 'has no place in a trace'),
    ...(tools ?? []).flatMap(({ name: _, description: __, schema: ___, ...rest }, at) =>
      absent({ ...rest }, [...path, 'context', 'tools', at], 'has no place in a trace'),
    ),
    ...messages.flatMap(({ parts, metadata }, at) =>
      absent({ parts, metadata }, [...path, 'messages', at], 'has no place in a trace'),
    ),
    ...calls.flatMap((list, at) =>
      list.flatMap(({ result, error }, nth) =>
        absent({ result, error }, [...path, 'messages', at, 'toolCalls', nth], 'of a call is kept in its result only'),
      ),
    ),
  ]
}

function lossesOfChunk({ type, metadata, toolCall }: AdapterChunk, path: Path): Loss[] {
  const result = type === 'tool_result' || toolCall?.result !== undefined
  return [
    ...absent({ metadata }, path, 'has no place in a trace'),
    ...(result ? [{ where: formatPath(path), what: 'a result in a reply has no place in a trace' }] : []),
  ]
}
