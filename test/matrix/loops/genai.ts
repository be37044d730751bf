import { type CallableTool, type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { apiKey, question, toolSpecs, weatherIn } from '../tools.ts'
import type { Loop } from './loop.ts'

const client = (url: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })

const functionDeclarations = toolSpecs.map(({ name, description, schema }) => ({
  name,
  description,
  parametersJsonSchema: schema,
}))

const respond = (name: string | undefined, args: unknown) => ({
  output: name === 'get_weather' ? weatherIn(args) : 'noon',
})

/** The SDK calls it by itself. */
const callable: CallableTool = {
  tool: async () => ({ functionDeclarations }),
  callTool: async (calls) =>
    calls.map(({ id = '', name = '', args }) => ({ functionResponse: { id, name, response: respond(name, args) } })),
}

const seenIn = ({ text, candidates, usageMetadata, modelVersion }: GenerateContentResponse) => ({
  text,
  candidates,
  usageMetadata,
  modelVersion,
})

export const genaiLoops: Record<string, Loop> = {
  'genai automatic function calling': async (url) => {
    const config = { tools: [callable] }
    const response = await client(url).models.generateContent({ model: 'gemini-3-pro', contents: question, config })
    return { ...seenIn(response), history: response.automaticFunctionCallingHistory }
  },
  'genai chats': async (url) => {
    const chat = client(url).chats.create({ model: 'gemini-3-pro', config: { tools: [{ functionDeclarations }] } })
    const first = await chat.sendMessage({ message: question })
    const message = (first.functionCalls ?? []).map(({ id = '', name = '', args }) => ({
      functionResponse: { id, name, response: respond(name, args) },
    }))
    return [seenIn(first), seenIn(await chat.sendMessage({ message })), chat.getHistory()]
  },
}
