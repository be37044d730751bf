import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { type Ask, call, collect, type Seen } from '../seen.ts'
import { apiKey, question, toolSpecs } from '../tools.ts'

const models = (url: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } }).models

const request = {
  model: 'gemini-3-pro',
  contents: question,
  config: {
    tools: [
      {
        functionDeclarations: toolSpecs.map(({ name, description, schema }) => ({
          name,
          description,
          parametersJsonSchema: schema,
        })),
      },
    ],
  },
}

const seenIn = (responses: GenerateContentResponse[]): Seen => {
  const candidates = responses.flatMap(({ candidates: given }) => given?.[0] ?? [])
  const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
  return {
    text: parts.map(({ text = '', thought }) => (thought ? '' : text)).join(''),
    calls: parts.flatMap(({ functionCall }) => (functionCall ? [call(functionCall.name, functionCall.args)] : [])),
    // The last response of a stream may hold an empty text beside the reason.
    parts: parts.filter(({ text, ...rest }) => text !== '' || Object.keys(rest).length > 0),
    stop: candidates.flatMap(({ finishReason }) => finishReason ?? []),
    models: [...new Set(responses.map(({ modelVersion }) => modelVersion))],
    usage: responses.at(-1)?.usageMetadata,
  }
}

export const genaiAsks: Record<string, Ask> = {
  'genai generateContent': async (url) => seenIn([await models(url).generateContent(request)]),
  'genai generateContentStream': async (url) => seenIn(await collect(await models(url).generateContentStream(request))),
}
