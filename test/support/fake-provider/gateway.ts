import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** Content as the AI SDK's specification 4 has it (package `@ai-sdk/provider`, LanguageModelV4Content). */
export type GatewayContent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; providerMetadata?: object }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }

export interface GatewayTurn {
  content: GatewayContent[]
  /** [stop, or tool-calls with a call] */
  finishReason?: string
}

export interface GatewayStreamOptions {
  /** Deltas for each text, thinking or input. [1] */
  pieces?: number
  pauseMs?: number
}

const usage = {
  inputTokens: { total: 31, noCache: 26, cacheRead: 5, cacheWrite: 0 },
  outputTokens: { total: 17, text: 12, reasoning: 5 },
}
const providerMetadata = { gateway: { routing: { finalProvider: 'anthropic' }, cost: '0.0045' } }
const response = { id: 'gen_01', timestamp: '2026-11-30T08:00:00.000Z', modelId: 'claude-sonnet-4-5' }

const reasonOf = ({ content, finishReason }: GatewayTurn) => {
  const unified = finishReason ?? (content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop')
  return { unified, raw: unified === 'stop' ? 'end_turn' : 'tool_use' }
}

const gatewayJson = (turn: GatewayTurn): FakeReply => ({
  body: JSON.stringify({
    content: turn.content,
    finishReason: reasonOf(turn),
    usage,
    warnings: [],
    providerMetadata,
    response,
  }),
})

const partsOf = (content: GatewayContent, index: number, pieces: number): object[] => {
  if (content.type === 'tool-call') {
    const { toolCallId: id, toolName, input } = content
    return [
      { type: 'tool-input-start', id, toolName },
      ...splitText(input, pieces).map((delta) => ({ type: 'tool-input-delta', id, delta })),
      { type: 'tool-input-end', id },
      content,
    ]
  }
  const { type, text, ...rest } = content
  const id = String(index)
  return [
    { type: `${type}-start`, id },
    ...splitText(text, pieces).map((delta) => ({ type: `${type}-delta`, id, delta })),
    { type: `${type}-end`, id, ...rest },
  ]
}

export const gatewayEvent = (part: object): string => `data: ${JSON.stringify(part)}\n\n`

export const gatewayStream = (turn: GatewayTurn, { pieces = 1, pauseMs }: GatewayStreamOptions = {}): FakeReply => ({
  chunks: [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', ...response },
    ...turn.content.flatMap((content, index) => partsOf(content, index, pieces)),
    { type: 'finish', finishReason: reasonOf(turn), usage, providerMetadata },
  ].map(gatewayEvent),
  ...(pauseMs !== undefined && { pauseMs }),
})

/** What the header asks for. */
export const gatewayReply =
  (turn: GatewayTurn, options: GatewayStreamOptions = {}): Scripted =>
  ({ headers }) =>
    headers['ai-language-model-streaming'] === 'true' ? gatewayStream(turn, options) : gatewayJson(turn)

export const gatewayError = (status: number, type: string, message: string): FakeReply => ({
  status,
  body: JSON.stringify({ error: { message, type, param: null, code: null } }),
})
