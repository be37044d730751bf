/** Stands for a key in the environment, so that clients can be made without one. Never sent to a provider, never a secret. */
export const placeholderKey = 'retake-offline-placeholder'

/** The variables from which SDKs take their key, and without which their constructors throw. */
const keyVariables = [
  'OPENAI_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'MISTRAL_API_KEY',
  'GROQ_API_KEY',
  'DEEPSEEK_API_KEY',
  'OPENROUTER_API_KEY',
  'XAI_API_KEY',
]

/** Sets the placeholder where a key is not set: a replay needs none, but the SDKs do. */
export function setPlaceholderKeys(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of keyVariables) if (!env[name]?.trim()) env[name] = placeholderKey
}
