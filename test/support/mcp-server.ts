import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

export interface McpServerOptions {
  /** One JSON document an answer, instead of a stream. */
  json: boolean
  /** Sessions with an id. */
  sessions: boolean
}

export interface RunningMcpServer extends AsyncDisposable {
  port: number
  /** HTTP method and JSON-RPC method of each request. */
  readonly requests: string[]
  stop(): Promise<void>
}

/** Two tools, one of which fails, as the SDK of the protocol serves them. */
function createShop(): McpServer {
  const server = new McpServer(
    { name: 'shop', version: '1.0.0' },
    { instructions: 'Ask for orders by their id.', capabilities: { logging: {} } },
  )
  server.registerTool(
    'lookup',
    { description: 'Looks an order up.', inputSchema: { id: z.string() } },
    async ({ id }, { sendNotification }) => {
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'looking' } })
      return { content: [{ type: 'text', text: `${id} is late, 20 €` }] }
    },
  )
  server.registerTool('refund', { description: 'Pays back.', inputSchema: { id: z.string() } }, async ({ id }) => {
    throw new Error(`${id} is paid back already`)
  })
  return server
}

/** An MCP server over streamable HTTP. */
export async function startMcpServer({ json, sessions }: McpServerOptions): Promise<RunningMcpServer> {
  const requests: string[] = []
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      ...(sessions && {
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id: string) => void transports.set(id, transport),
      }),
    } as ConstructorParameters<typeof StreamableHTTPServerTransport>[0])
    await createShop().connect(transport as Parameters<McpServer['connect']>[0])
    return transport
  }
  const http = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push([request.method, body?.method].filter(Boolean).join(' '))
    const known = transports.get(String(request.headers['mcp-session-id']))
    await (known ?? (await open())).handleRequest(request, response, body)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const stop = async () => {
    if (!http.listening) return
    const closed = once(http, 'close')
    http.close()
    http.closeAllConnections()
    await closed
  }
  return { port: (http.address() as AddressInfo).port, requests, stop, [Symbol.asyncDispose]: stop }
}
