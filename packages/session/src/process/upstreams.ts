import { ConfigError } from '@retake/trace'

/** Where the APIs live, and the variable by which the clients of each are told another place. */
const upstreams: Readonly<Record<string, { url: string; variable?: string }>> = {
  openai: { url: 'https://api.openai.com/v1', variable: 'OPENAI_BASE_URL' },
  anthropic: { url: 'https://api.anthropic.com', variable: 'ANTHROPIC_BASE_URL' },
  gemini: { url: 'https://generativelanguage.googleapis.com', variable: 'GOOGLE_GEMINI_BASE_URL' },
  mistral: { url: 'https://api.mistral.ai' },
  groq: { url: 'https://api.groq.com', variable: 'GROQ_BASE_URL' },
  deepseek: { url: 'https://api.deepseek.com' },
  openrouter: { url: 'https://openrouter.ai/api/v1' },
  xai: { url: 'https://api.x.ai/v1' },
  ollama: { url: 'http://127.0.0.1:11434' },
}

/** The variable that the clients of a provider read their base URL from, where there is one. */
export const variableOf = (provider: string): string | undefined =>
  Object.hasOwn(upstreams, provider) ? upstreams[provider]?.variable : undefined

/**
 * The base URL that a provider's own clients would use: that of its variable, else the public one. A URL stands for itself.
 * @throws ConfigError for an unknown name
 */
export function upstreamOf(provider: string, env: NodeJS.ProcessEnv = process.env): string {
  if (/^https?:\/\//.test(provider) && URL.canParse(provider)) return provider.replace(/\/+$/, '')
  const known = Object.hasOwn(upstreams, provider) ? upstreams[provider] : undefined
  if (!known) {
    throw new ConfigError(
      `baseURL takes the name of a provider (${Object.keys(upstreams).join(', ')}) or the URL of one, not "${provider}"`,
      { provider },
    )
  }
  const url = (known.variable && env[known.variable]?.trim()) || known.url
  return url.replace(/\/+$/, '')
}
