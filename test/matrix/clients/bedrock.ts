import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { type Ask, call, collect, spoken } from '../seen.ts'
import { question, toolSpecs } from '../tools.ts'

/** Over HTTP/1, which retake answers; the SDK's own default is HTTP/2. */
const client = (endpoint: string) =>
  new BedrockRuntimeClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIDFORTESTS', secretAccessKey: 'not-a-secret' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  })

const request = {
  modelId: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  messages: [{ role: 'user' as const, content: [{ text: question }] }],
  toolConfig: {
    tools: toolSpecs.map(({ name, description, schema }) => ({
      toolSpec: { name, description, inputSchema: { json: schema } },
    })),
  },
}

const textOf = (blocks: ContentBlock[]) => blocks.map(({ text = '' }) => text).join('')

export const bedrockAsks: Record<string, Ask> = {
  'bedrock Converse': async (url) => {
    const { output, stopReason, usage } = await client(url).send(new ConverseCommand(request))
    const content = output?.message?.content ?? []
    return {
      text: textOf(content),
      calls: content.flatMap(({ toolUse }) => (toolUse ? [call(toolUse.name, toolUse.input)] : [])),
      content,
      stopReason,
      usage,
    }
  },
  'bedrock ConverseStream': async (url) => {
    const { stream } = await client(url).send(new ConverseStreamCommand(request))
    const events = stream ? await collect(stream) : []
    const calls: [string, string][] = []
    for (const { contentBlockStart, contentBlockDelta } of events) {
      const { toolUse } = contentBlockStart?.start ?? {}
      if (toolUse) calls[contentBlockStart?.contentBlockIndex ?? 0] = [toolUse.name ?? '', '']
      const made = calls[contentBlockDelta?.contentBlockIndex ?? 0]
      if (made) made[1] += contentBlockDelta?.delta?.toolUse?.input ?? ''
    }
    return {
      text: events.map(({ contentBlockDelta }) => contentBlockDelta?.delta?.text ?? '').join(''),
      calls: calls.filter(Boolean),
      ids: events.flatMap(({ contentBlockStart }) => {
        const { toolUse } = contentBlockStart?.start ?? {}
        return toolUse ? [{ id: toolUse.toolUseId }] : []
      }),
      deltas: spoken(
        events.flatMap(({ contentBlockDelta }) => {
          const { text, toolUse, reasoningContent } = contentBlockDelta?.delta ?? {}
          return [
            { text, input: toolUse?.input, thinking: reasoningContent?.text, signature: reasoningContent?.signature },
          ]
        }),
      ),
      stop: events.flatMap(({ messageStop }) => messageStop?.stopReason ?? []),
      usage: events.flatMap(({ metadata }) => metadata?.usage ?? []),
    }
  },
}
