import { ConfigError } from '@retake/trace'
import type { Door } from './door.ts'
import { upstreamOf, variableOf } from './upstreams.ts'

/**
 * The variables that send the clients of a command through a door.
 * @param given `openai`, or `MY_BASE_URL=openai` where the agent reads a variable of its own; several with commas
 * @throws ConfigError for a provider that is not known, or has no variable that its clients read
 */
export async function toBaseUrls(given: string, door: Door): Promise<Record<string, string>> {
  const pairs = given.split(',').map((one): [variable: string, provider: string] => {
    const [, variable, provider = one] = /^([A-Za-z_]\w*)=(.*)$/.exec(one) ?? []
    return [variable ?? variableFor(provider), provider]
  })
  const urls: [string, string][] = []
  for (const [variable, provider] of pairs) urls.push([variable, await door.baseURL(provider)])
  return Object.fromEntries(urls)
}

function variableFor(provider: string): string {
  upstreamOf(provider)
  const variable = variableOf(provider)
  if (variable !== undefined) return variable
  throw new ConfigError(
    `the clients of ${provider} read their base URL from no variable that is known\n` +
      `  Name the one that your agent reads: --base-url MY_BASE_URL=${provider}`,
    { provider },
  )
}
