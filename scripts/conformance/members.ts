import { isFrames, parseFrames } from './frames.ts'
import type { HttpAnswer } from './read-said.ts'
import { type Body, parseValue } from './said.ts'
import { parseSse } from './sse.ts'

/** Values of the leaves of an answer by path, items of a list under one path: `usage.prompt_tokens`, `choices[].index`. */
export type Members = Map<string, string[]>

/**
 * What a replay need not give back, written down apart from the code that does not: ids, times, accounting, and what
 * only repeats the request. Of a stream also the pieces of text, which are compared when they are put together.
 */
const notSaid: readonly RegExp[] = [
  // Ids, and what names the very machine that answered.
  /(^|\.)(id|call_id|toolUseId|toolCallId|item_id|request_id|requestId|responseId|system_fingerprint|encrypted_index|caller\.type)$/,
  /(^|\.)(x_groq\.seed|seed|weight_version|output_index|content_index|contentBlockIndex|sequence_number|obfuscation|p)$/,
  // Times.
  /(^|\.)(created|created_at|timestamp|completed_at|createTime|expires_at)$|_time$|^(time_info|latency_checkpoint|sla_metrics)\./,
  // What a call costs by which contract, and where it ran.
  /(^|\.)(service_tier|serviceTier|trafficType|inference_geo|speed|billing\.payer)$/,
  // Constants of a wire.
  /(^|\.)(object|type|role|index|status)$/,
  // What a response of OpenAI repeats of its request.
  /^(response\.)?(background|instructions|max_output_tokens|max_tool_calls|metadata|parallel_tool_calls)(\.|\[|$)/,
  /^(response\.)?(previous_response_id|prompt_cache_key|prompt_cache_retention|reasoning|safety_identifier|store)(\.|$)/,
  /^(response\.)?(temperature|text|tool_choice|tools|top_logprobs|top_p|truncation|user|presence_penalty)(\.|\[|$)/,
  /^(response\.)?(frequency_penalty|prompt_cache_options|prompt)(\.|\[|$)/,
]

const pieces: readonly RegExp[] = [
  /^choices\[\]\.(text|delta\.(content|refusal|reasoning|reasoning_content|tool_calls|channel|name|token_id))(\.|\[|$)/,
  /^(delta|content_block|message\.usage|item|part|text|name|arguments|input|refusal|logprobs)(\.|\[|$)/,
  /^candidates\[\]\.content\.parts\[\]\.(text|thought|functionCall)(\.|$)/,
  /^response\.output(\[|$)/,
  /^message\.tool_calls(\[|$)/,
]

const isSaid = (path: string, isStream: boolean): boolean =>
  !notSaid.some((pattern) => pattern.test(path)) && !(isStream && pieces.some((pattern) => pattern.test(path)))

function* leavesOf(value: Body, path = ''): Generator<[string, Body]> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, `${path}[]`)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === '' ? name : `${path}.${name}`)
  } else yield [path, value]
}

/** Nothing at all, in the ways that bodies say it. */
const isEmpty = (value: Body): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === false

/** An event of Anthropic stands in a frame as base64. */
const eventOf = (payload: Body): Body =>
  typeof payload?.bytes === 'string' ? parseValue(Buffer.from(payload.bytes, 'base64').toString('utf8')) : payload

const bodiesOf = ({ body, headers }: HttpAnswer): { bodies: Body[]; isStream: boolean } => {
  if (isFrames(headers)) return { bodies: parseFrames(body).map(({ payload }) => eventOf(payload)), isStream: true }
  const whole = parseValue(body) as Body
  if (Array.isArray(whole)) return { bodies: whole, isStream: true }
  if (whole !== undefined) return { bodies: [whole], isStream: false }
  const lines = parseSse(body).map(({ data }) => data)
  const events = (lines.length > 0 ? lines : body.split('\n')).map(parseValue)
  return { bodies: events.filter((event) => event !== undefined), isStream: true }
}

/** The leaves of one value. */
export const toMembers = (value: unknown): Members => membersOf([value], false)

/** All leaves that say something. Of a stream the last value of each, as a client that adds events up has it. */
export const readMembers = (answer: HttpAnswer): Members => {
  const { bodies, isStream } = bodiesOf(answer)
  // Of a stream that failed only its text, its end and its error reach anybody.
  const hasFailed = isStream && bodies.some((body) => body?.error)
  return membersOf(hasFailed ? bodies.map(({ error, usage }) => ({ error, usage })) : bodies, isStream)
}

const membersOf = (bodies: readonly Body[], isStream: boolean): Members => {
  const members: Members = new Map()
  for (const body of bodies) {
    const found: Members = new Map()
    for (const [path, value] of leavesOf(body)) {
      if (isEmpty(value) || !isSaid(path, isStream)) continue
      found.set(path, [...(found.get(path) ?? []), JSON.stringify(value)])
    }
    for (const [path, values] of found) members.set(path, values)
  }
  return members
}

/** Paths whose values are not there in the replay, one line each. What a replay says besides is its own affair. */
export const compareMembers = (original: Members, replayed: Members): string[] =>
  [...original].flatMap(([path, values]) => {
    const others = replayed.get(path) ?? []
    const rest = [...others]
    const gone = values.filter((value) => {
      const at = rest.indexOf(value)
      if (at !== -1) rest.splice(at, 1)
      return at === -1
    })
    return gone.length > 0
      ? [`${path}: ${gone[0]?.slice(0, 60)} ${others.length > 0 ? `became ${others[0]?.slice(0, 60)}` : 'is gone'}`]
      : []
  })

/** JSON, events or text; recordings without their headers cannot tell, and some servers call JSON a stream of bytes. */
const kindOf = ({ headers }: HttpAnswer): string =>
  /^(application\/json|text\/[a-z-]+)/.exec(headers['content-type'] ?? '')?.[0] ?? ''

export const compareContentTypes = (original: HttpAnswer, replayed: HttpAnswer): string[] => {
  const [before, after] = [kindOf(original), kindOf(replayed)]
  return before === '' || after === '' || before === after ? [] : [`content-type: ${before} became ${after}`]
}
