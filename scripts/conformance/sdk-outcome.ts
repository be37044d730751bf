import type { HttpAnswer } from './read-said.ts'
import type { Body } from './said.ts'

type Fetch = typeof globalThis.fetch

/** Asks through the SDK that the provider documents; the answer is the one that `fetch` gives. */
type Ask = (fetch: Fetch, streams: boolean) => Promise<unknown>

const options = (fetch: Fetch) => ({ apiKey: 'key-for-tests', fetch, maxRetries: 0, logLevel: 'off' as const })
const messages = [{ role: 'user' as const, content: 'Hi' }]

/** The stream helper keeps only the last delta of members it does not know, so only those it knows are looked at. */
const ofCompletion = ({ model, usage, choices }: Body) => ({
  model,
  usage,
  choices: choices?.map(({ finish_reason, message }: Body) => ({
    finish_reason,
    // Chunks of a list it adds up as text.
    content: String(message?.content).includes('[object Object]') ? undefined : message?.content,
    refusal: message?.refusal,
    calls: message?.tool_calls?.map((call: Body) => [call.type, call.function ?? call.custom]),
  })),
})

// The SDKs load late: each takes its time.
const openaiSdk = async (fetch: Fetch) => new (await import('openai')).default(options(fetch))

const askChat: Ask = async (fetch, streams) => {
  const { completions } = (await openaiSdk(fetch)).chat
  if (!streams) return ofCompletion(await completions.create({ model: 'm', messages }))
  return ofCompletion(await completions.stream({ model: 'm', messages }).finalChatCompletion())
}

const askResponses: Ask = async (fetch, streams) => {
  const { responses } = await openaiSdk(fetch)
  const params = { model: 'm', input: 'Hi' }
  const { output, output_text, status, incomplete_details, usage, model } = streams
    ? await responses.stream(params).finalResponse()
    : await responses.create(params)
  // The helper parses arguments and texts, and that of a raw reply does not.
  return { output_text, status, incomplete_details, usage, model, output: JSON.parse(JSON.stringify(output ?? null)) }
}

const askMessages: Ask = async (fetch, streams) => {
  const { default: Anthropic } = await import('@anthropic-ai/sdk')
  const api = new Anthropic(options(fetch)).beta.messages
  const params = { model: 'm', max_tokens: 9, messages }
  return streams ? await api.stream(params).finalMessage() : await api.create(params)
}

/** This SDK takes the global `fetch`. */
const askGemini: Ask = async (fetch, streams) => {
  const { GoogleGenAI } = await import('@google/genai')
  const { fetch: before } = globalThis
  globalThis.fetch = fetch
  try {
    const { models } = new GoogleGenAI({ apiKey: 'key-for-tests' })
    const params = { model: 'm', contents: 'Hi' }
    if (!streams) return ofResponse(await models.generateContent(params))
    const responses: Body[] = []
    for await (const response of await models.generateContentStream(params)) responses.push(ofResponse(response))
    const text = responses.map((response) => response.text ?? '').join('')
    const calls = responses.flatMap((response) => response.functionCalls ?? [])
    return { ...responses.at(-1), text, functionCalls: calls, candidates: responses.at(-1)?.candidates?.finishReason }
  } finally {
    globalThis.fetch = before
  }
}

/** Texts and calls by the helpers, which warn where a reply has other parts too. */
const ofResponse = (response: Body): Body => {
  const { candidates, promptFeedback, usageMetadata, modelVersion } = response
  const parts: Body[] = candidates?.[0]?.content?.parts ?? []
  return {
    candidates: { finishReason: candidates?.[0]?.finishReason, finishMessage: candidates?.[0]?.finishMessage },
    promptFeedback,
    usageMetadata,
    modelVersion,
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    // Pieces of a call are for the agent to put together, which the reader of the wire does here.
    functionCalls: parts.flatMap(({ functionCall: call }) => (call?.name && !call.willContinue ? [call] : [])),
  }
}

const asks: { path: RegExp; ask: Ask }[] = [
  { path: /\/chat\/completions$/, ask: askChat },
  { path: /\/responses$/, ask: askResponses },
  { path: /\/v1\/messages$/, ask: askMessages },
  { path: /:(generateContent|streamGenerateContent)$/, ask: askGemini },
]

/** What an agent gets to see of an answer; `undefined` where no SDK of ours reads it. */
export const readThroughSdk = async (url: string, answer: HttpAnswer): Promise<unknown> => {
  const found = asks.find(({ path }) => path.test(new URL(url).pathname))
  if (!found) return undefined
  const streams = /^\uFEFF?\s*(data|event|id|retry)?:/.test(answer.body)
  const { status, body } = answer
  const type = streams ? 'text/event-stream' : (answer.headers['content-type'] ?? 'application/json')
  const fetch: Fetch = async () => new Response(body, { status, headers: { 'content-type': type } })
  try {
    return JSON.parse(JSON.stringify((await found.ask(fetch, streams)) ?? null))
  } catch (error) {
    const { name, status } = error as { name: string; status?: number }
    return { thrown: name, ...(status !== undefined && { status }) }
  }
}
