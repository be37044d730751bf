import { UsageError } from '../command.ts'
import type { Launch } from './launch.ts'

/** Options of every command that starts an agent, as `Command.options` has them. */
export const sessionOptions = {
  allow: ['hosts', 'Hosts or URLs that are left alone, with commas between'],
  http: ['record|allow|block', 'Requests that are for no model [record]'],
  'base-url': [
    'providers',
    'For agents in other languages: openai, anthropic … or VARIABLE=provider; with commas between',
  ],
} as const

const policies = ['record', 'allow', 'block']

/**
 * What they tell the session.
 * @throws UsageError for a value that is none
 */
export const toSessionVariables = (options: ReadonlyMap<string, string>): Launch['told'] => {
  const [allow, http, baseUrl] = [options.get('allow'), options.get('http'), options.get('base-url')]
  if (http !== undefined && !policies.includes(http)) throw new UsageError('--http takes record, allow or block')
  for (const [name, value] of Object.entries({ allow, 'base-url': baseUrl })) {
    if (value?.split(',').includes('')) throw new UsageError(`--${name} takes a list with commas between`)
  }
  return {
    ...(allow !== undefined && { ALLOW: allow }),
    ...(http !== undefined && { HTTP: http }),
    ...(baseUrl !== undefined && { BASE_URL: baseUrl }),
  }
}
