import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { toolPathOf } from '@retake/trace'
import { expect, test } from 'vitest'
import { aliasHost } from '../support/host-alias.ts'
import { type McpServerOptions, startMcpServer } from '../support/mcp-server.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { host } from './through-http.ts'

/** A client of the SDK as an agent uses it. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport as Parameters<Client['connect']>[0])
  return client
}

async function useShop(url: string): Promise<unknown> {
  const client = await connect(url)
  const { tools } = await client.listTools()
  const said = [
    client.getInstructions(),
    client.getServerVersion(),
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    await client.callTool({ name: 'lookup', arguments: { id: 'A-77' } }),
    await client.callTool({ name: 'refund', arguments: { id: 'A-77' } }),
    await outcomeOf(client.readResource({ uri: 'shop://nowhere' })),
  ]
  await (client.transport as StreamableHTTPClientTransport).terminateSession()
  await client.close()
  return said
}

/** Records against a real server under a name that is not loopback, takes it away, and replays. */
async function throughMcp<T>(options: McpServerOptions, agent: (url: string, isReplay: boolean) => Promise<T>) {
  await using file = await temporaryCassette()
  await using server = await startMcpServer(options)
  const url = `http://${host}:${server.port}/mcp`
  const record = async () => {
    using _ = aliasHost(host)
    return await inTest(file.path, {}, () => agent(url, false))
  }
  const recorded = await record()
  const requests = [...server.requests]
  await server.stop()
  return { recorded, requests, replayed: await inTest(file.path, {}, () => agent(url, true)) }
}

const kinds: McpServerOptions[] = [
  { json: true, sessions: true },
  { json: false, sessions: true },
  { json: true, sessions: false },
  { json: false, sessions: false },
]

test.each(kinds)('a client of the SDK works with a recorded server: %o', async (options) => {
  const { recorded, replayed, requests } = await throughMcp(options, useShop)
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(recorded.value).toMatchObject([
    'Ask for orders by their id.',
    { name: 'shop', version: '1.0.0' },
    [{ name: 'lookup' }, { name: 'refund' }],
    { content: [{ text: 'A-77 is late, 20 €' }] },
    { isError: true },
    { error: { code: -32601 } },
  ])
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([
    'POST initialize',
    'POST notifications/initialized',
    'POST tools/list',
    'POST tools/call',
    'POST tools/call',
    'POST resources/read',
  ])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('a tool of the server is a step under its own name, and the list of tools is one too', async () => {
  const { recorded } = await throughMcp({ json: false, sessions: true }, useShop)
  const { trace } = recorded.cassette
  const calls = trace.steps.flatMap(({ type, payload }) => (type === 'tool_call' ? [payload] : []))
  expect(calls).toMatchObject([
    { origin: 'http', toolName: expect.stringMatching(/^http initialize shop\.example\.test:\d+\/mcp$/) },
    {
      origin: 'mcp',
      toolName: 'tools/list',
      toolInput: { server: expect.stringMatching(/^shop\.example\.test:\d+\/mcp$/) },
    },
    { origin: 'mcp', toolName: 'lookup', toolInput: { id: 'A-77' } },
    { origin: 'mcp', toolName: 'refund', toolInput: { id: 'A-77' } },
    { origin: 'http', toolName: expect.stringMatching(/^http resources\/read /) },
  ])
  expect(toolPathOf(trace)).toEqual(['tools/list', 'lookup', 'refund'])
})

test('other arguments, and a tool that is called once more, are told by the name of the tool', async () => {
  const call = (id: string) => async (url: string) => {
    const client = await connect(url)
    return outcomeOf(client.callTool({ name: 'lookup', arguments: { id } }))
  }
  const other = await throughMcp({ json: true, sessions: false }, (url, isReplay) =>
    call(isReplay ? 'A-78' : 'A-77')(url),
  )
  expect(other.replayed.result.errors).toMatchObject([
    { code: 'RETAKE_CASSETTE_MISMATCH', details: { differences: [{ path: 'id', before: 'A-77', after: 'A-78' }] } },
  ])
  expect(other.replayed.result.errors[0]?.message).toMatch(/^the MCP tool "lookup" is not as recorded: id\n/)
  const more = await throughMcp({ json: true, sessions: false }, async (url, isReplay) => {
    await call('A-77')(url)
    if (isReplay) await outcomeOf(call('A-77')(url))
  })
  // The second client sets its connection up, too.
  expect(more.replayed.result.errors.map(({ code }) => code)).toContain('RETAKE_STEP_USED')
})
