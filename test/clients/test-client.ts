/** Asks the model once and gives the texts of its answer as they came: one of a JSON reply, several of a stream. */
export type Ask = (question: string) => Promise<string[]>

/** A way to a model that retake must not miss. */
export interface TestClient {
  name: string
  /** A client of the provider at `url`, with whatever it takes hold of when it is made. */
  create(url: string): { json: Ask; stream: Ask }
  /** Where a real provider is. */
  host: string
  /** The provider of the tests speaks HTTPS. */
  tls?: { key: string; cert: string }
}

/** Gets the text of a reply. */
export type Send = (url: string, body: string) => Promise<string>

export const headers = { 'content-type': 'application/json', authorization: 'Bearer k-0123456789abcdef' }

/** A client without an SDK: it speaks Chat Completions by itself. */
export const overChat = (name: string, create: () => Send): TestClient => ({
  name,
  host: 'https://api.openai.com',
  create(url) {
    const send = create()
    const ask = (stream: boolean) => async (content: string) =>
      textsOf(
        await send(
          `${url}/v1/chat/completions`,
          JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }], ...(stream && { stream }) }),
        ),
      )
    return { json: ask(false), stream: ask(true) }
  },
})

const textsOf = (reply: string): string[] => {
  if (!reply.startsWith('data:')) return [JSON.parse(reply).choices[0].message.content]
  return reply.split('\n\n').flatMap((event) => {
    if (event === '' || event === 'data: [DONE]') return []
    return textIn(JSON.parse(event.slice('data:'.length)).choices[0].delta.content)
  })
}

/** SDKs give empty texts at the ends of a stream, each in its own way. */
export const textIn = (text: string | null | undefined): string[] => (text ? [text] : [])

/** The texts in what a stream gives. */
export const textsIn = async <T>(
  stream: AsyncIterable<T>,
  read: (chunk: T) => string | null | undefined,
): Promise<string[]> => {
  const texts: string[] = []
  for await (const chunk of stream) texts.push(...textIn(read(chunk)))
  return texts
}
