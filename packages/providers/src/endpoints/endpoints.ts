import type { Endpoint } from './endpoint.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { withModelOfPath, without } from './request-members.ts'
import { withoutId } from './without-id.ts'

/** One that is kept word for word, but for who asks and the id of the answer. */
const verbatim = (name: string, keyVariable: string): Endpoint => ({
  name,
  keyVariable,
  readInput: (request, url) => withModelOfPath(without(request, ['user']), url),
  readResult: withoutId,
  writeResult: (result) => result,
})

/** Endpoints that are recorded and replayed, each by the name of its route. */
export const endpoints: readonly Endpoint[] = [
  openaiEmbeddings,
  verbatim('openai moderations', 'OPENAI_API_KEY'),
  verbatim('gemini embedContent', 'GEMINI_API_KEY'),
  verbatim('gemini batchEmbedContents', 'GEMINI_API_KEY'),
  verbatim('ollama embed', 'OLLAMA_API_KEY'),
  verbatim('cohere embed', 'COHERE_API_KEY'),
  verbatim('rerank', 'COHERE_API_KEY'),
]

/** The endpoint of a route, by its name. */
export const findEndpoint = (route: string): Endpoint | undefined => endpoints.find(({ name }) => name === route)
