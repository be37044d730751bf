import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { anthropicReply } from './anthropic.ts'
import { chatReply } from './chat.ts'
import { type FakeProviderOptions, startFakeProvider } from './fake-provider.ts'
import { readTraffic, trafficReply } from './traffic.ts'

const help = `node test/support/fake-provider/main.ts [options]
  --port N         [0: a free one]
  --replies FILE   a module that exports "replies"
  --traffic FILE   the answers of a traffic file, in order (--run NAME: only of that run)
Without either it answers every request with one sentence. Prints its URL on one line and runs until stopped.`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    replies: { type: 'string' },
    traffic: { type: 'string' },
    run: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const chooseReplies = async (): Promise<FakeProviderOptions['replies']> => {
  if (values.replies !== undefined) return (await import(pathToFileURL(resolve(values.replies)).href)).replies
  if (values.traffic !== undefined) {
    const exchanges = await readTraffic(values.traffic)
    return exchanges
      .filter(({ run }) => values.run === undefined || run === values.run)
      .map((exchange) => trafficReply(exchange))
  }
  const text = 'This is the fake provider.'
  return (request) => {
    const reply = request.url.includes('/messages')
      ? anthropicReply({ content: [{ type: 'text', text }] })
      : chatReply({ content: text })
    return typeof reply === 'function' ? reply(request) : reply
  }
}

if (values.help) {
  console.log(help)
} else {
  const replies = await chooseReplies()
  const provider = await startFakeProvider({ port: Number(values.port), ...(replies && { replies }) })
  console.log(provider.url)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.stop())
}
