import { findWire } from './routes.ts'

/** A path that retake knows by name: one that asks a model for a reply, or another endpoint of a provider. */
export interface RouteDescription {
  /** For messages: `openai responses`, `anthropic files`. */
  name: string
  kind: 'model' | 'endpoint'
}

interface KnownRoute extends RouteDescription {
  /** Matched against the whole path behind any prefix. */
  path: RegExp
  /** [any] */
  method?: 'POST'
  /** For words that an application may use in paths of its own, such as `/api/chat`. With or without port. [any] */
  host?: RegExp
}

const openai =
  /(^|\.)(openai\.com|(openai|cognitiveservices|services\.ai)\.azure\.com|x\.ai|deepseek\.com|groq\.com|mistral\.ai|openrouter\.ai|together\.(ai|xyz)|perplexity\.ai|cerebras\.ai|fireworks\.ai|huggingface\.co)$/
const anthropic = /(^|\.)anthropic\.com$/
const google = /(^|\.|-)(generativelanguage|aiplatform)\.googleapis\.com$/
const bedrock = /^bedrock(-[a-z-]+)?(\.[a-z0-9-]+)?\.(amazonaws\.com(\.cn)?|api\.aws)$/
const mistral = /(^|\.)mistral\.ai$/
const ollama = /^(.*:11434|(.*\.)?ollama\.com)$/
const cohere = /(^|\.)cohere\.(com|ai)$/

const model = (name: string, path: RegExp, host?: RegExp): KnownRoute => ({
  name,
  kind: 'model',
  method: 'POST',
  path,
  ...(host && { host }),
})

const endpoint = (name: string, path: RegExp, host?: RegExp): KnownRoute => ({
  name,
  kind: 'endpoint',
  path,
  ...(host && { host }),
})

/** First match wins. */
const routes: readonly KnownRoute[] = [
  endpoint('openai responses compact', /\/(v1|openai)\/responses\/compact$/),
  endpoint('openai responses input_tokens', /\/(v1|openai)\/responses\/input_tokens$/),
  endpoint('openai stored responses', /\/(v1|openai)\/responses\/[^/]+(\/(cancel|input_items))?$/),
  endpoint('openai stored completions', /\/chat\/completions(\/[^/]+(\/messages)?)?$/, openai),
  model('openai completions', /\/(v1|deployments\/[^/]+)\/completions$/),
  model('mistral fim', /\/v1\/fim\/completions$/),
  model('mistral agents', /\/v1\/agents\/completions$/),
  endpoint('anthropic count_tokens', /\/v1\/messages\/count_tokens$/),
  endpoint('anthropic count_tokens', /\/publishers\/anthropic\/models\/count-tokens:rawPredict$/),
  endpoint('anthropic batches', /\/v1\/messages\/batches(\/[^/]+(\/(cancel|results))?)?$/),
  model('anthropic complete', /\/v1\/complete$/),
  endpoint('gemini countTokens', /\/(models|endpoints)\/[^/]+:(countTokens|computeTokens)$/),
  endpoint('gemini embedContent', /\/models\/[^/]+:embedContent$/),
  endpoint('gemini batchEmbedContents', /\/models\/[^/]+:batchEmbedContents$/),
  endpoint('gemini batches', /\/models\/[^/]+:(batchGenerateContent|asyncBatchEmbedContent)$/),
  endpoint('vertex predict', /\/models\/[^/]+:(predict|predictLongRunning)$/),
  model('gemini interactions', /\/v1(beta)?\/interactions$/, google),
  model('ollama generate', /\/api\/generate$/, ollama),
  endpoint('ollama embed', /\/api\/(embed|embeddings)$/, ollama),
  endpoint('bedrock count-tokens', /\/model\/[^/]+\/count-tokens$/),
  model('bedrock agents', /\/agents\/[^/]+\/agentAliases\/[^/]+\/sessions\/[^/]+\/text$/, bedrock),
  model('cohere chat', /\/v[12]\/chat$/, cohere),
  model('cohere generate', /\/v1\/generate$/, cohere),
  model('ai gateway', /\/v\d+\/ai\/language-model$/),
  endpoint('ai gateway embeddings', /\/v\d+\/ai\/embedding-model$/),
  endpoint('openai embeddings', /\/(v\d+|deployments\/[^/]+|openai)\/embeddings$/),
  endpoint('openai embeddings', /^\/embeddings$/, openai),
  endpoint('openai moderations', /\/v1\/(chat\/)?moderations$/),
  endpoint('openai images', /\/(v1|deployments\/[^/]+)\/images\/(generations|edits|variations)$/),
  endpoint('openai audio', /\/(v1|deployments\/[^/]+)\/audio\/(speech|transcriptions|translations)$/),
  endpoint('rerank', /\/v[12]\/rerank$/),
  endpoint('openai traces', /\/v1\/traces\/ingest$/, openai),
  endpoint('anthropic files', /\/v1\/files(\/.*)?$/, anthropic),
  endpoint('anthropic models', /\/v1\/models(\/.*)?$/, anthropic),
  ...[
    'assistants',
    'batches',
    'containers',
    'conversations',
    'evals',
    'files',
    'fine_tuning',
    'models',
    'organization',
    'realtime',
    'threads',
    'uploads',
    'vector_stores',
    'videos',
  ].map((word) => endpoint(`openai ${word}`, new RegExp(`/(v1|openai)/${word}(/.*)?$`), openai)),
  ...['batches', 'cachedContents', 'fileSearchStores', 'files', 'models', 'interactions', 'operations'].map((word) =>
    endpoint(
      `gemini ${word}`,
      new RegExp(`/(v1(alpha|beta\\d*)?|upload|locations/[^/]+)(/[^/]+)?/${word}([/:].*)?$`),
      google,
    ),
  ),
  ...['agents', 'batch', 'conversations', 'libraries', 'ocr'].map((word) =>
    endpoint(`mistral ${word}`, new RegExp(`/v1/${word}(/.*)?$`), mistral),
  ),
  ...['embed', 'tokenize', 'detokenize', 'classify', 'models'].map((word) =>
    endpoint(`cohere ${word}`, new RegExp(`/v[12]/${word}(/.*)?$`), cohere),
  ),
]

/** Names a route that retake knows but does not record as a model call. Undefined for the wires and for everything else. */
export const describeRoute = (method: string, url: URL): RouteDescription | undefined => {
  const verb = method.toUpperCase()
  if (verb === 'POST' && findWire(url)) return undefined
  const found = routes.find(
    ({ path, host, method: only }) =>
      (only === undefined || only === verb) &&
      path.test(url.pathname) &&
      (host === undefined || host.test(url.hostname) || host.test(url.host)),
  )
  return found && { name: found.name, kind: found.kind }
}
