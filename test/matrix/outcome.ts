/** What an agent can see of a failure, also of those that stand for others. */
const told = [
  'name',
  'message',
  'status',
  'statusCode',
  'code',
  'type',
  'param',
  'error',
  'body',
  'data',
  'responseBody',
  'isRetryable',
  'reason',
  'errors',
  'cause',
]

/** The classes of `fetch` are out of reach of a replay; its errors have the names. */
const classOf = (error: Error) => (error.name === 'SocketError' ? error.name : error.constructor.name)

const failureOf = (error: unknown): unknown => {
  if (Array.isArray(error)) return error.map(failureOf)
  if (!(error instanceof Error)) return error
  const members = error as Error & Record<string, unknown>
  const seen = told.filter((name) => members[name] !== undefined)
  return Object.fromEntries([
    ['class', classOf(error)],
    ...seen.map((name) => [name, name === 'errors' || name === 'cause' ? failureOf(members[name]) : members[name]]),
  ])
}

/** Names of requests do not come back; SDKs quote them in their messages. */
const withoutRequestIds = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(/"req_\w+"/g, 'null')
  if (Array.isArray(value)) return value.map(withoutRequestIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      /^request_?id$/i.test(name) ? [] : [[name, withoutRequestIds(member)]],
    ),
  )
}

/** The value of a promise, or its failure. */
export const outcome = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    return { value: await promise }
  } catch (error) {
    return { error: withoutRequestIds(failureOf(error)) }
  }
}
