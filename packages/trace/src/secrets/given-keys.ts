const keyWord =
  /(?:^|[_\W])(?:(?:api|access|secret|private|auth)?key|keys|token|tokens|secret|secrets|password|passwd|passphrase|pass|pwd|credential|credentials|auth|authorization|pat|cookie|sig|signature)(?:[_\W]?(?:id|base|\d+))?$/i

/** `OPENAI_API_KEY`, `npm_config__authToken`, `x-goog-api-key`, `DB_PASSWORD_2`; not the working directory. */
export const isKeyLike = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && keyWord.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))

/** `DB_PASSWORD=postgres`, `apiKey: 'not-needed'`: such a value stands in many prompts and opens nothing. */
export const isOrdinaryWord = (value: string): boolean => value.length < 16 && /^[a-z]*(?:[-_ ][a-z]+)*$/i.test(value)

/** A key that a request carries, and what messages call its place. */
export interface GivenKey {
  name: string
  value: string
}

/** The keys in the headers and the URL of a request. */
export const keysOfRequest = (url: string, headers: Iterable<readonly [name: string, value: string]>): GivenKey[] => [
  ...[...headers].flatMap(([name, value]) =>
    keysInHeader(name, value).map((key) => ({ name: `the header ${name}`, value: key })),
  ),
  ...keysInUrl(url),
]

/** With and without its scheme; of basic authentication also what is in the base64. */
function keysInHeader(name: string, value: string): string[] {
  if (!isKeyLike(name)) return []
  if (/cookie$/i.test(name)) return value.split(';').map((pair) => pair.replace(/^[^=]*=/, ''))
  const [, scheme, rest] = /^(\w[\w-]*)\s+(.+)$/s.exec(value.trim()) ?? []
  if (scheme === undefined || rest === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [rest]
  const pair = Buffer.from(rest, 'base64').toString()
  return [rest, pair, pair.slice(pair.indexOf(':') + 1)]
}

function keysInUrl(url: string): GivenKey[] {
  if (!URL.canParse(url)) return []
  const { searchParams, password } = new URL(url)
  const keys = [...searchParams].filter(([name]) => isKeyLike(name))
  return [
    ...keys.map(([name, value]) => ({ name: `the query parameter ${name}`, value })),
    { name: 'the URL', value: password },
  ]
}
