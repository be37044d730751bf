import { expect, test } from 'vitest'
import { describeRoute } from './known-routes.ts'
import { findWire } from './routes.ts'

const wireOf = (url: string, body?: object) => findWire(new URL(url), body as never)?.name
const describeUrl = (url: string, method = 'POST') => describeRoute(method, new URL(url))

test.each([
  ['https://api.openai.com/v1/chat/completions', 'openai.chat'],
  ['https://api.openai.com/v1/chat/completions?beta=1', 'openai.chat'],
  ['https://x.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=1', 'openai.chat'],
  ['https://openrouter.ai/api/v1/chat/completions', 'openai.chat'],
  ['https://api.deepseek.com/chat/completions', 'openai.chat'],
  ['http://127.0.0.1:8080/chat/completions', 'openai.chat'],
  ['https://api.openai.com/v1/responses', 'openai.responses'],
  ['http://localhost:1234/v1/responses', 'openai.responses'],
  ['https://x.openai.azure.com/openai/responses?api-version=1', 'openai.responses'],
  ['https://api.deepseek.com/responses', 'openai.responses'],
  ['https://api.openai.com/v1/responses/compact', undefined],
  ['https://api.openai.com/v1/responses/resp_1', undefined],
  ['https://api.anthropic.com/v1/messages?beta=true', 'anthropic.messages'],
  ['https://api.z.ai/api/anthropic/v1/messages', 'anthropic.messages'],
  [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent?key=k',
    'gemini.generate-content',
  ],
  [
    'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/g:streamGenerateContent?alt=sse',
    'gemini.generate-content',
  ],
  ['https://generativelanguage.googleapis.com/v1beta/tunedModels/t-1:generateContent', 'gemini.generate-content'],
  [
    'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/7:streamGenerateContent',
    'gemini.generate-content',
  ],
  ['http://127.0.0.1:11434/api/chat', 'ollama.chat'],
  ['https://ollama.com/api/chat', 'ollama.chat'],
  ['http://gpu-box/ollama/api/chat', 'ollama.chat'],
  ['http://127.0.0.1:11434/api/chats', undefined],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1%3A0/converse', 'bedrock.converse'],
  ['https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com/model/a.b/converse-stream', 'bedrock.converse'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b/count-tokens', undefined],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1:0/invoke', 'anthropic.bedrock'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b/invoke-with-response-stream', 'anthropic.bedrock'],
  [
    'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude:rawPredict',
    'anthropic.vertex',
  ],
  [
    'https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/anthropic/models/claude@1:streamRawPredict',
    'anthropic.vertex',
  ],
  ['https://x.test/v1/projects/p/locations/l/publishers/mistralai/models/m:rawPredict', undefined],
  ['https://aiplatform.googleapis.com/v1beta1/publishers/google/models/g:generateContent', 'gemini.generate-content'],
  ['https://x.openai.azure.com/openai/v1/chat/completions?api-version=preview', 'openai.chat'],
  ['https://x.openai.azure.com/openai/v1/responses', 'openai.responses'],
  ['https://x.openai.azure.com/openai/deployments/gpt/responses?api-version=1', 'openai.responses'],
  ['https://x.services.ai.azure.com/models/chat/completions?api-version=1', 'openai.chat'],
  ['https://ai-gateway.vercel.sh/v4/ai/language-model', 'ai-gateway.language-model'],
  ['https://x.services.ai.azure.com/anthropic/v1/messages', 'anthropic.messages'],
  ['https://generativelanguage.googleapis.com/v1beta/models/g:countTokens', undefined],
  ['https://generativelanguage.googleapis.com/v1beta/models/g:generateContent/x', undefined],
  ['https://api.openai.com/v1/chat/completions/', undefined],
  ['https://api.openai.com/v1/chat/completions/x', undefined],
  ['https://api.openai.com/v1/Chat/Completions', undefined],
  ['https://api.openai.com/v1/xchat/completions', undefined],
  ['https://api.openai.com/v1/threads/t/messages', undefined],
  ['https://api.anthropic.com/v1/messages/count_tokens', undefined],
  ['https://x.test/messages', undefined],
])('%s belongs to %s', (url, name) => {
  expect(wireOf(url)).toBe(name)
})

test('a request with the path but not the members of a wire is none of its', () => {
  const url = 'http://localhost/v1/chat/completions'
  expect(wireOf(url, { model: 'x', messages: [] })).toBe('openai.chat')
  for (const body of [
    {},
    { messages: [] },
    { model: 'x' },
    { model: 1, messages: [] },
    { model: 'x', messages: 'Hi' },
    [],
  ])
    expect(wireOf(url, body)).toBeUndefined()
})

test('a request for a response has a model and an input, or a prompt template that may hold both', () => {
  const url = 'https://x.openai.azure.com/openai/responses'
  const deployment = 'https://x.openai.azure.com/openai/deployments/gpt/responses'
  for (const body of [{ model: 'x', input: 'Hi' }, { model: 'x', input: [] }, { prompt: { id: 'pmpt_1' } }])
    expect(wireOf(url, body)).toBe('openai.responses')
  expect(wireOf(deployment, { input: 'Hi' })).toBe('openai.responses')
  for (const body of [{}, { model: 'x' }, { input: 'Hi' }, { model: 1, input: 'Hi' }, { model: 'x', input: 1 }, []])
    expect(wireOf(url, body)).toBeUndefined()
})

test('a model of Bedrock that is invoked is one of Anthropic where the body says so', () => {
  const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b/invoke'
  expect(wireOf(url, { anthropic_version: 'bedrock-2023-05-31', messages: [] })).toBe('anthropic.bedrock')
  for (const body of [{ inputText: 'Hi' }, { messages: [] }, { anthropic_version: 'bedrock-2023-05-31', prompt: 'Hi' }])
    expect(wireOf(url, body)).toBeUndefined()
})

test('a chat of Ollama has a model and its messages a role and content, unlike one of the AI SDK', () => {
  const url = 'http://localhost:3000/api/chat'
  const asks = (...messages: object[]) => wireOf(url, { model: 'x', messages })
  expect(asks({ role: 'user', content: 'Hi' })).toBe('ollama.chat')
  expect(asks({ role: 'assistant', tool_calls: [{}] }, { role: 'tool', content: '' })).toBe('ollama.chat')
  expect(asks()).toBe('ollama.chat')
  for (const message of [{ role: 'user' }, { content: 'Hi' }, { role: 'user', parts: [], content: '' }, []])
    expect(asks(message)).toBeUndefined()
  const said = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
  for (const body of [
    { id: 'chat-1', messages: said, trigger: 'submit-message' },
    { model: 'x', id: 'chat-1', messages: [{ role: 'user', content: 'Hi' }] },
    { model: 'x', trigger: 'submit-message', messages: [] },
    { messages: [{ role: 'user', content: 'Hi' }] },
    { model: 'x' },
  ])
    expect(wireOf(url, body)).toBeUndefined()
})

test.each([
  ['https://api.openai.com/v1/responses/input_tokens', 'openai responses input_tokens', 'endpoint'],
  ['https://api.openai.com/v1/responses/compact', 'openai responses compact', 'endpoint'],
  ['https://api.openai.com/v1/responses/resp_1/cancel', 'openai stored responses', 'endpoint'],
  ['https://api.openai.com/v1/completions', 'openai completions', 'model'],
  ['http://127.0.0.1:11434/api/generate', 'ollama generate', 'model'],
  ['https://ollama.com/api/embed', 'ollama embed', 'endpoint'],
  [
    'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict',
    'anthropic count_tokens',
    'endpoint',
  ],
  ['https://api.anthropic.com/v1/messages/count_tokens?beta=true', 'anthropic count_tokens', 'endpoint'],
  ['https://api.anthropic.com/v1/messages/batches', 'anthropic batches', 'endpoint'],
  ['https://api.anthropic.com/v1/files', 'anthropic files', 'endpoint'],
  ['https://api.openai.com/v1/embeddings', 'openai embeddings', 'endpoint'],
  ['https://api.openai.com/v1/moderations', 'openai moderations', 'endpoint'],
  ['https://generativelanguage.googleapis.com/v1beta/cachedContents', 'gemini cachedContents', 'endpoint'],
  ['https://ai-gateway.vercel.sh/v3/ai/language-model', 'ai gateway', 'model'],
])('%s is %s', (url, name, kind) => {
  expect(describeUrl(url)).toEqual({ name, kind })
})

test('methods count: models are asked by POST, lists are read by GET', () => {
  expect(describeUrl('https://api.openai.com/v1/responses', 'GET')).toBeUndefined()
  expect(describeUrl('https://api.openai.com/v1/responses/resp_1', 'GET')?.name).toBe('openai stored responses')
  expect(describeUrl('https://api.openai.com/v1/models', 'GET')?.name).toBe('openai models')
  expect(describeUrl('https://api.openai.com/v1/chat/completions', 'GET')?.name).toBe('openai stored completions')
})

test.each([
  'https://api.openai.com/v1/chat/completions',
  'https://api.anthropic.com/v1/messages',
  'http://localhost:3000/api/chat',
  'http://localhost:3000/v1/files',
  'http://localhost:3000/v1/models',
  'http://localhost:3000/api/survey/responses',
  'https://example.com/batches',
  'https://api.openai.com/v1/responsesx',
])('%s is a wire, or nothing that is known', (url) => {
  expect(describeUrl(url)).toBeUndefined()
})
