import { type AnthropicStreamOptions, type AnthropicTurn, anthropicJson, anthropicStream } from './anthropic.ts'
import { eventFrame, framesType } from './aws-frames.ts'
import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** Blocks as the API sends them: docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
export type ConverseBlock =
  | { text: string }
  | { toolUse: { toolUseId: string; name: string; input: Record<string, unknown> } }
  | { reasoningContent: { reasoningText: { text: string; signature?: string } } | { redactedContent: string } }

export interface ConverseTurn {
  content: ConverseBlock[]
  /** [end_turn, or tool_use with a call] */
  stopReason?: string
}

export interface ConverseStreamOptions {
  /** Deltas for each text, thinking or arguments. [1] */
  pieces?: number
  pauseMs?: number
}

const usage = {
  inputTokens: 31,
  outputTokens: 17,
  totalTokens: 53,
  cacheReadInputTokens: 5,
  cacheWriteInputTokens: 0,
  serverToolUsage: {},
}
const metrics = { latencyMs: 588 }

const reasonOf = ({ content, stopReason }: ConverseTurn): string =>
  stopReason ?? (content.some((block) => 'toolUse' in block) ? 'tool_use' : 'end_turn')

const converseJson = (turn: ConverseTurn): FakeReply => ({
  body: JSON.stringify({
    metrics,
    output: { message: { content: turn.content, role: 'assistant' } },
    stopReason: reasonOf(turn),
    usage,
  }),
})

const deltasOf = (block: ConverseBlock, pieces: number): object[] => {
  if ('text' in block) return splitText(block.text, pieces).map((text) => ({ text }))
  if ('toolUse' in block) {
    return splitText(JSON.stringify(block.toolUse.input), pieces).map((input) => ({ toolUse: { input } }))
  }
  const { reasoningContent } = block
  if ('redactedContent' in reasoningContent) return [{ reasoningContent }]
  const { text, signature } = reasoningContent.reasoningText
  return [...splitText(text, pieces).map((piece) => ({ text: piece })), ...(signature ? [{ signature }] : [])].map(
    (delta) => ({ reasoningContent: delta }),
  )
}

export const converseStream = (turn: ConverseTurn, { pieces = 1, pauseMs }: ConverseStreamOptions = {}): FakeReply => ({
  headers: framesType,
  chunks: [
    eventFrame('messageStart', { role: 'assistant' }),
    ...turn.content.flatMap((block, contentBlockIndex) => [
      ...('toolUse' in block
        ? [
            eventFrame('contentBlockStart', {
              contentBlockIndex,
              start: { toolUse: { toolUseId: block.toolUse.toolUseId, name: block.toolUse.name } },
            }),
          ]
        : []),
      ...deltasOf(block, pieces).map((delta) => eventFrame('contentBlockDelta', { contentBlockIndex, delta })),
      eventFrame('contentBlockStop', { contentBlockIndex }),
    ]),
    eventFrame('messageStop', { stopReason: reasonOf(turn) }),
    eventFrame('metadata', { metrics, usage }),
  ],
  ...(pauseMs !== undefined && { pauseMs }),
})

/** What the path asks for. */
export const converseReply =
  (turn: ConverseTurn, options: ConverseStreamOptions = {}): Scripted =>
  ({ url }) =>
    url.endsWith('/converse-stream') ? converseStream(turn, options) : converseJson(turn)

export const bedrockError = (status: number, type: string, message: string): FakeReply => ({
  status,
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  body: JSON.stringify({ message }),
})

/** An event of Anthropic's own stream in a frame. */
export const invokeFrame = (event: string | Uint8Array): Uint8Array => {
  const data = JSON.parse(String(event).slice(String(event).indexOf('data: ') + 6))
  const whole =
    data.type === 'message_stop' ? { ...data, 'amazon-bedrock-invocationMetrics': { inputTokenCount: 31 } } : data
  return eventFrame('chunk', { bytes: Buffer.from(JSON.stringify(whole)).toString('base64') })
}

export const invokeStream = (turn: AnthropicTurn, options: AnthropicStreamOptions = {}): FakeReply => {
  const { chunks = [], ...reply } = anthropicStream(turn, options)
  return { ...reply, headers: framesType, chunks: chunks.map(invokeFrame) }
}

/** A model of Anthropic, invoked: what the path asks for. */
export const invokeReply =
  (turn: AnthropicTurn, options: AnthropicStreamOptions = {}): Scripted =>
  ({ url }) =>
    url.endsWith('/invoke-with-response-stream') ? invokeStream(turn, options) : anthropicJson(turn)
