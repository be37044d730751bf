import type { WireRequest } from './wire.ts'

/**
 * A Messages request of another cloud in the form of Anthropic's own API: the model from the path into the body, betas
 * from the body into their header. The version of the API changes no answer.
 */
export const toMessagesRequest = (
  { url, headers, body }: WireRequest,
  model: string | undefined,
  stream: boolean,
): WireRequest => {
  const { anthropic_version: _, anthropic_beta: betas, ...rest } = body
  const named = [headers['anthropic-beta'], ...(Array.isArray(betas) ? betas : [betas])]
  const header = named.filter((beta) => typeof beta === 'string').join(',')
  return {
    url,
    headers: header === '' ? headers : { ...headers, 'anthropic-beta': header },
    body: { ...rest, ...(model !== undefined && { model }), stream },
  }
}
