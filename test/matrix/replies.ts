import { type AnthropicBlock, anthropicReply } from '../support/fake-provider/anthropic.ts'
import { type ConverseBlock, converseReply } from '../support/fake-provider/bedrock.ts'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { type GeminiPart, geminiReply } from '../support/fake-provider/gemini.ts'
import { ollamaReply } from '../support/fake-provider/ollama.ts'
import type { ReceivedRequest, Scripted } from '../support/fake-provider/reply.ts'
import { type ResponsesItem, responsesCall, responsesReply } from '../support/fake-provider/responses.ts'
import type { Scenario } from './scenarios.ts'

/** Of each text and argument string, where the vendor cuts it. */
export const pieces = 5
const signature = 'c2lnbmF0dXJlLW9mLXRoZS10aGlua2luZw=='

/** `nth` keeps the ids of the replies of a run apart. */
type WireReply = (scenario: Scenario, request: ReceivedRequest, nth: number) => Scripted

const chatFinish = { end: 'stop', tools: 'tool_calls', length: 'length', filter: 'content_filter', refusal: 'stop' }

/** The vendors of this wire differ in how they think and in how they cut and count a stream. */
const chat: WireReply = ({ thinking, text, refusal, calls, stop }, { body }, nth) => {
  const vendor = /^(mistral|groq)/.exec(body.model)?.[0]
  const member = vendor === 'mistral' ? 'thinkingChunk' : vendor === 'groq' ? 'reasoning' : 'reasoning_content'
  const turn = {
    id: `chatcmpl-${nth}Xy7`,
    // OpenAI says nothing with an empty text.
    content: text ?? (refusal || calls ? null : ''),
    ...(refusal !== undefined && { refusal }),
    ...(thinking !== undefined && { [member]: thinking }),
    ...(calls && { tool_calls: calls.map(({ name, input }, n) => chatCall(`call_${nth}${n}Xy7`, name, input)) }),
    finish_reason: chatFinish[stop],
  }
  return chatReply(turn, { pieces, ...(vendor && { wholeCalls: true, usage: 'last' as const }) })
}

const responses: WireReply = ({ thinking, text, refusal, calls = [], stop }, _, nth) => {
  const output: ResponsesItem[] = [
    ...(thinking === undefined
      ? []
      : [{ type: 'reasoning' as const, id: `rs_${nth}a`, summary: [thinking], encrypted_content: signature }]),
    ...(text === undefined ? [] : [{ type: 'message' as const, id: `msg_${nth}a`, text }]),
    ...(refusal === undefined ? [] : [{ type: 'message' as const, id: `msg_${nth}b`, refusal }]),
    ...calls.map(({ name, input }, n) => responsesCall(`call_${nth}${n}Xy7`, name, input)),
  ]
  const reason = stop === 'length' ? 'max_output_tokens' : stop === 'filter' ? 'content_filter' : undefined
  return responsesReply({ id: `resp_${nth}Xy7`, output, ...(reason && { status: 'incomplete', reason }) }, { pieces })
}

const anthropicStop = {
  end: 'end_turn',
  tools: 'tool_use',
  length: 'max_tokens',
  filter: 'refusal',
  refusal: 'refusal',
}

const anthropic: WireReply = ({ thinking, text, refusal, calls = [], stop }, _, nth) => {
  const content: AnthropicBlock[] = [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, signature }]),
    ...[text, refusal].flatMap((said) => (said === undefined ? [] : [{ type: 'text' as const, text: said }])),
    ...calls.map((call, n) => ({ type: 'tool_use' as const, id: `toolu_${nth}${n}Xy7`, ...call })),
  ]
  return anthropicReply({ id: `msg_${nth}Xy7`, content, stop_reason: anthropicStop[stop] }, { pieces })
}

const geminiFinish = {
  end: 'STOP',
  tools: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  refusal: 'PROHIBITED_CONTENT',
}

/** The signature stands on the first call, or without one on the text. */
const gemini: WireReply = ({ thinking, text, refusal, calls = [], stop }, _, nth) => {
  const thoughtSignature = thinking === undefined ? {} : { thoughtSignature: signature }
  const parts: GeminiPart[] = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true as const }]),
    ...[text, refusal].flatMap((said) =>
      said === undefined ? [] : [{ text: said, ...(calls.length === 0 && thoughtSignature) }],
    ),
    ...calls.map(({ name, input }, n) => ({
      functionCall: { id: `f${nth}${n}Xy7`, name, args: input },
      ...(n === 0 && thoughtSignature),
    })),
  ]
  return geminiReply({ parts, finishReason: geminiFinish[stop] }, { pieces })
}

/** This server knows two reasons, and no refusals. */
const ollama: WireReply = ({ thinking, text, refusal, calls, stop }, _, nth) =>
  ollamaReply(
    {
      content: text ?? refusal ?? '',
      ...(thinking !== undefined && { thinking }),
      ...(calls && {
        tool_calls: calls.map(({ name, input }, index) => ({
          id: `call_${nth}${index}Xy7`,
          function: { index, name, arguments: input },
        })),
      }),
      done_reason: stop === 'length' ? 'length' : 'stop',
    },
    { pieces },
  )

const converseStop = {
  end: 'end_turn',
  tools: 'tool_use',
  length: 'max_tokens',
  filter: 'content_filtered',
  refusal: 'end_turn',
}

const converse: WireReply = ({ thinking, text, refusal, calls = [], stop }, _, nth) => {
  const content: ConverseBlock[] = [
    ...(thinking === undefined ? [] : [{ reasoningContent: { reasoningText: { text: thinking, signature } } }]),
    ...[text, refusal].flatMap((said) => (said === undefined ? [] : [{ text: said }])),
    ...calls.map(({ name, input }, n) => ({ toolUse: { toolUseId: `tooluse_${nth}${n}Xy7`, name, input } })),
  ]
  return converseReply({ content, stopReason: converseStop[stop] }, { pieces })
}

const wires: [RegExp, WireReply][] = [
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/\/messages(\?|$)/, anthropic],
  [/:(g|streamG)enerateContent/, gemini],
  [/\/api\/chat$/, ollama],
  [/\/converse(-stream)?$/, converse],
]

/** One reply, in the shape of the wire that asks. */
export const says =
  (scenario: Scenario, nth = 0): Scripted =>
  (request) => {
    const reply = wires.find(([path]) => path.test(request.url))?.[1]
    if (!reply) throw new Error(`nothing to say to ${request.url}`)
    const scripted = reply(scenario, request, nth)
    return typeof scripted === 'function' ? scripted(request) : scripted
  }
