import { ConfigError, type JsonPath } from '@retake/trace'

/** Stands for any index or key in a pattern. */
export const ANY = Symbol('any index or key')

export type PathPattern = readonly (JsonPath[number] | typeof ANY)[]

const segmentPattern = /(?:^|\.)([A-Za-z_$][\w$]*|\*)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\.)*")\]/y

/**
 * The reverse of `formatPath`. `[*]` and `.*` stand for any index or key.
 * @throws ConfigError if the text is no path
 */
export const parsePath = (text: string): PathPattern => {
  const path: PathPattern[number][] = []
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

/**
 * A path that begins with one of these names. Another one would name nothing, and nobody would notice.
 * @throws ConfigError if it does not, or is no path
 */
export const parsePathIn = (roots: readonly string[], text: string): PathPattern => {
  const path = parsePath(text)
  const [root] = path
  if (root === ANY || roots.some((name) => name === root)) return path
  throw new ConfigError(
    `"${text}" names nothing that is there; a path begins with ${roots.slice(0, -1).join(', ')} or ${roots.at(-1)}`,
    { path: text },
  )
}

/** Of a request, as `ignore` takes it. */
export const requestRoots = ['model', 'systemPrompt', 'messages', 'tools', 'params'] as const

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
