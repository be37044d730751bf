/** The SDKs of OpenAI and Anthropic tell how often they have tried before: 0 for a new call. Undefined for other clients. */
export const attemptOf = (headers: Headers): number | undefined => {
  const told = headers.get('x-stainless-retry-count')
  return told === null ? undefined : Number(told)
}
