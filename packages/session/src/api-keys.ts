/** Stands for a key in the environment, so that clients can be made without one. Never sent to a provider, never a secret. */
export const placeholderKey = 'retake-offline-placeholder'

/**
 * The variables from which SDKs take their key, and without which their constructors throw; behind each, those that give
 * the same client a credential in another way. A key wins over these or is refused beside them, so where one of a row is
 * set, all of it stays as it is.
 */
const keyVariables = [
  ['OPENAI_API_KEY'],
  ['AZURE_OPENAI_API_KEY', 'AZURE_CLIENT_ID', 'AZURE_TENANT_ID'],
  ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_PROFILE'],
  ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  ['GOOGLE_GENERATIVE_AI_API_KEY'],
  ['MISTRAL_API_KEY'],
  ['GROQ_API_KEY'],
  ['DEEPSEEK_API_KEY'],
  ['OPENROUTER_API_KEY'],
  ['XAI_API_KEY'],
  ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN'],
] as const

/** Where clients of AWS find their key, first come, first served. The last places are on the network. */
const awsSources = [
  'AWS_ACCESS_KEY_ID',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
]
const awsFiles = ['credentials', 'config']

/**
 * The same for clients of AWS, which would ask the network for a key otherwise. A key of the environment wins over every
 * other, so none is set where a machine may have one in a file, or where only recording is wanted.
 */
export function setPlaceholderAwsKey(env: NodeJS.ProcessEnv = process.env): void {
  if (awsSources.some((name) => env[name]?.trim())) return
  const home = env.HOME ?? env.USERPROFILE ?? ''
  // Not imported: every test file pays for what this one imports.
  const { existsSync } = process.getBuiltinModule('node:fs')
  if (awsFiles.some((file) => existsSync(`${home}/.aws/${file}`))) return
  env.AWS_ACCESS_KEY_ID = placeholderKey
  env.AWS_SECRET_ACCESS_KEY = placeholderKey
}

/** Both, for a process that asks nobody. */
export function setPlaceholders(): void {
  setPlaceholderKeys()
  setPlaceholderAwsKey()
}

/** Sets the placeholder where a client has no credential: a replay needs none, but the SDKs do. */
export function setPlaceholderKeys(env: NodeJS.ProcessEnv = process.env): void {
  const isSet = (name: string) => !!env[name]?.trim() && env[name] !== placeholderKey
  for (const names of keyVariables) if (!names.some(isSet)) env[names[0]] = placeholderKey
}
