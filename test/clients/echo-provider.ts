import { anthropicReply } from '../support/fake-provider/anthropic.ts'
import { converseReply } from '../support/fake-provider/bedrock.ts'
import { chatReply } from '../support/fake-provider/chat.ts'
import {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
} from '../support/fake-provider/fake-provider.ts'
import { geminiReply } from '../support/fake-provider/gemini.ts'
import { ollamaReply } from '../support/fake-provider/ollama.ts'
import type { ReceivedRequest, Scripted } from '../support/fake-provider/reply.ts'
import { responsesReply, responsesText } from '../support/fake-provider/responses.ts'

/** What the echoing provider answers. */
export const echoOf = (question: string): string => `You asked: ${question}`

/**
 * Says back what it was asked, in the words of the wire that it was asked in; streams come in three pieces. `waitMs` of a
 * question is how long it thinks about it.
 */
export const startEchoProvider = ({
  waitMs = () => 0,
  ...options
}: Pick<FakeProviderOptions, 'tls'> & { waitMs?: (question: string) => number } = {}): Promise<FakeProvider> =>
  startFakeProvider({
    ...options,
    other: { status: 204, headers: { ...allowPages, 'access-control-allow-headers': '*, authorization' } },
    replies: async (request) => {
      const question = questionIn(request.body)
      const reply = replyOf(request.url, echoOf(question))
      const { headers, ...rest } = typeof reply === 'function' ? await reply(request) : reply
      return { ...rest, headers: { ...headers, ...allowPages }, waitMs: waitMs(question) }
    },
  })

/** How often the model was asked; pages also ask whether they may. */
export const modelRequests = ({ requests }: FakeProvider): number =>
  requests.filter(({ method }) => method === 'POST').length

/** Pages of any origin may ask. */
const allowPages = { 'access-control-allow-origin': '*' }

const replyOf = (url: string, text: string): Scripted => {
  const streamed = { pieces: 3 }
  if (url.includes('/responses')) return responsesReply({ output: [responsesText(text)] }, streamed)
  if (url.includes('/messages')) return anthropicReply({ content: [{ type: 'text', text }] }, streamed)
  if (url.includes('enerateContent')) return geminiReply({ parts: [{ text }] }, streamed)
  if (url.includes('/api/chat')) return ollamaReply({ content: text }, streamed)
  if (url.includes('/converse')) return converseReply({ content: [{ text }] }, streamed)
  return chatReply({ content: text }, streamed)
}

/** The last text of a request, whatever its wire calls it. */
const questionIn = ({ messages, input, contents }: ReceivedRequest['body']): string => {
  const history = messages ?? contents ?? input
  if (typeof history === 'string') return history
  const last = history.at(-1)
  const said = last.content ?? last.parts
  return typeof said === 'string' ? said : said.at(-1).text
}
