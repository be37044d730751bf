import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { toolPathOf, verifyTrace } from '@retake/trace'
import axios from 'axios'
import { expect, test } from 'vitest'
import { chatCall } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { aliasHost } from '../support/host-alias.ts'
import { startMcpServer } from '../support/mcp-server.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'

test('an agent whose tools ask a REST API and an MCP server elsewhere is recorded, and replayed offline', async () => {
  await using file = await temporaryCassette()
  const script = toolScript(
    [chatCall('call_1', 'lookup', { id: 'A-77' }), chatCall('call_2', 'price', { id: 'A-77' })],
    [chatCall('call_3', 'lookup', { id: 'B-2' })],
  )
  await using provider = await startFakeProvider({ replies: script, other: { body: '{"price":20}' } })
  await using mcp = await startMcpServer({ json: false, sessions: true })

  const agent = async () => {
    const client = new Client({ name: 'agent', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(`http://mcp.example.test:${mcp.port}/mcp`))
    await client.connect(transport as Parameters<Client['connect']>[0])
    const tools = {
      lookup: async (input: { id: string }) => (await client.callTool({ name: 'lookup', arguments: input })).content,
      price: async ({ id }: { id: string }) =>
        (await axios.get(`http://rest.example.test:${provider.port}/prices/${id}`)).data,
    }
    const answer = await chatLoop(provider.url, tools)
    await client.close()
    return answer
  }

  const record = async () => {
    using _rest = aliasHost('rest.example.test')
    using _mcp = aliasHost('mcp.example.test')
    return await inTest(file.path, {}, agent)
  }
  const recorded = await record()
  expect(recorded.value).toContain('A-77 is late, 20 €')
  expect(recorded.value).toContain('{"price":20}')
  expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 3, errors: [] })
  const { trace } = recorded.cassette
  expect(verifyTrace(trace).pass).toBe(true)
  // What the model asked the server for counts once, and a request to a REST API is no tool.
  expect(toolPathOf(trace)).toEqual(['lookup', 'price', 'lookup'])
  const calls = trace.steps.flatMap(({ type, payload }) => (type === 'tool_call' ? [payload] : []))
  expect(calls).toMatchObject([
    { origin: 'http', toolName: expect.stringMatching(/^http initialize mcp\.example\.test/) },
    { origin: 'mcp', toolCallId: 'call-1', toolName: 'lookup', toolInput: { id: 'A-77' } },
    { origin: 'http', toolName: expect.stringMatching(/^http GET rest\.example\.test:\d+\/prices\/A-77$/) },
    { origin: 'mcp', toolCallId: 'call-4', toolName: 'lookup', toolInput: { id: 'B-2' } },
  ])

  await Promise.all([provider.stop(), mcp.stop()])
  const replayed = await inTest(file.path, {}, agent)
  expect(replayed.value).toBe(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', replayedCalls: 3, errors: [] })
})

const refused = async (send: (url: string) => Promise<unknown>) => {
  await using file = await temporaryCassette()
  await using server = await startMcpServer({ json: true, sessions: false })
  using _ = aliasHost('mcp.example.test')
  const { result } = await inTest(file.path, {}, () => outcomeOf(send(`http://mcp.example.test:${server.port}/mcp`)))
  return [result.errors.map(({ details }) => details.name), server.requests]
}
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

test('a batch of messages, and the older transport, are refused by name before anything is sent', async () => {
  const batch = (url: string) => fetch(url, { method: 'POST', headers, body: JSON.stringify([ping]) })
  expect(await refused(batch)).toEqual([['MCP beyond request and answer'], []])
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'agent', version: '1' } }
  const body = JSON.stringify({ ...ping, method: 'initialize', params })
  const older = (url: string) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(await refused(older)).toEqual([['MCP beyond request and answer'], []])
})
