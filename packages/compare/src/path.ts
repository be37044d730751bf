import { ConfigError } from '@retake/trace'

/** Object keys as strings, array indexes as numbers. */
export type Path = readonly (string | number)[]

/** Stands for any index or key in a pattern. */
export const ANY = Symbol('any index or key')

export type PathPattern = readonly (string | number | typeof ANY)[]

const identifier = /^[A-Za-z_$][\w$]*$/

/** `['messages', 0, 'content']` → `messages[0].content`; keys that are no identifiers become `["a.b"]`; the root is `''`. */
export const formatPath = (path: Path): string => {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (!identifier.test(segment)) text += `[${JSON.stringify(segment)}]`
    else text += text === '' ? segment : `.${segment}`
  }
  return text
}

const segmentPattern = /(?:^|\.)([A-Za-z_$][\w$]*|\*)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\.)*")\]/y

/**
 * The reverse of `formatPath`. `[*]` and `.*` stand for any index or key.
 * @throws ConfigError if the text is no path
 */
export const parsePath = (text: string): PathPattern => {
  const path: (string | number | typeof ANY)[] = []
  segmentPattern.lastIndex = 0
  while (segmentPattern.lastIndex < text.length) {
    const match = segmentPattern.exec(text)
    if (!match || text.startsWith('.')) throw notAPath(text)
    const [, key, index, quoted] = match
    if (key === '*' || index === '*') path.push(ANY)
    else if (key !== undefined) path.push(key)
    else if (index !== undefined) path.push(Number(index))
    else if (quoted !== undefined) path.push(parseKey(quoted, text))
  }
  return path
}

const parseKey = (quoted: string, text: string): string => {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw notAPath(text)
  }
}

const notAPath = (text: string): ConfigError =>
  new ConfigError(
    `"${text}" is no request path; write it like messages[0].content, params.temperature or tools[*].description`,
    { path: text },
  )
