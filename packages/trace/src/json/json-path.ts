/** Member names and array indices from the root of a value to one of its places. */
export type JsonPath = readonly (string | number)[]

const identifier = /^[A-Za-z_$][\w$]*$/

/** A path as people read it: `messages[0].content`; names that are no identifiers `["a.b"]`. Empty for the root. */
export const formatPath = (path: JsonPath): string =>
  path
    .map((key, at) => {
      if (typeof key === 'number') return `[${key}]`
      if (!identifier.test(key)) return `[${JSON.stringify(key)}]`
      return at === 0 ? key : `.${key}`
    })
    .join('')

/** A path inside a trace, its steps by number: `step 3`, `step 3 payload.text`, `createdAt`. */
export function formatWhere(path: JsonPath): string {
  const [first, index, ...rest] = path
  if (first !== 'steps' || typeof index !== 'number') return formatPath(path)
  return rest.length === 0 ? `step ${index}` : `step ${index} ${formatPath(rest)}`
}
