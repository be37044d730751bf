import { ANY, type PathPattern, parsePathIn, requestRoots } from '@retake/compare'
import { ConfigError, formatPath, type JsonPath } from '@retake/trace'

/** What the option `redact` takes: a pattern, a path, or a function of a text and its place. */
export type RedactRule = RegExp | string | ((text: string, where: string) => string)

export interface RedactRules {
  /** True for a place that a path names, or that stands below one. */
  hides(path: JsonPath): boolean
  readonly hasPaths: boolean
  /** A text after all patterns and functions. */
  text(text: string, path: JsonPath): string
  /** A member name after all patterns. */
  name(name: string): string
}

/** Where a path may begin: in a request, in a reply or its error, or in a tool call or its result. */
const roots = [
  ...requestRoots,
  ...['parts', 'stopText', 'opaque', 'message', 'code', 'param'],
  ...['toolInput', 'result', 'error'],
] as const

export const redacted = '[redacted]'

/** @throws ConfigError for a rule that is none, or a text that is no path */
export function readRedactRules(rules: readonly RedactRule[]): RedactRules {
  const paths: PathPattern[] = []
  const changes: { change: (text: string, where: () => string) => string; ofNames: boolean }[] = []
  for (const [n, rule] of rules.entries()) {
    const label = `redact[${n}]`
    if (typeof rule === 'string') paths.push(parsePathIn(roots, rule))
    else if (typeof rule === 'function') changes.push({ change: fromFunction(rule, label), ofNames: false })
    else if (isRegExp(rule)) changes.push({ change: fromPattern(rule, label), ofNames: true })
    else throw new ConfigError(`${label} must be a regular expression, a path or a function`, { option: 'redact' })
  }
  const ofNames = changes.filter((change) => change.ofNames)
  return {
    hides: (path) => paths.some((pattern) => startsWith(path, pattern)),
    hasPaths: paths.length > 0,
    text: (text, path) => changes.reduce((changed, { change }) => change(changed, () => formatPath(path)), text),
    name: (name) => ofNames.reduce((changed, { change }) => change(changed, () => ''), name),
  }
}

// One from another realm is no instance.
const isRegExp = (rule: unknown): rule is RegExp => Object.prototype.toString.call(rule) === '[object RegExp]'

function fromPattern(rule: RegExp, label: string) {
  const pattern = new RegExp(rule.source, rule.flags.includes('g') ? rule.flags : `${rule.flags}g`)
  return settled(label, (text: string) =>
    text.replace(pattern, (match, ...rest) => {
      // Positions stand behind the groups, and in front of the text and the named groups.
      const at = rest.find((item) => typeof item === 'number') as number
      return match === '' || isInRedacted(text, at, match.length) ? match : redacted
    }),
  )
}

/** Words of what stands for hidden text are no matches. */
function isInRedacted(text: string, at: number, length: number): boolean {
  const start = text.lastIndexOf(redacted, at)
  return start !== -1 && at + length <= start + redacted.length
}

function fromFunction(rule: Extract<RedactRule, (...args: never[]) => string>, label: string) {
  return settled(label, (text: string, where: () => string) => {
    const changed = calling(label, where, () => rule(text, where()))
    if (typeof changed === 'string') return changed
    throw new ConfigError(`${label} gave no text for ${where()}`, { option: 'redact' })
  })
}

function calling(label: string, where: () => string, call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    throw new ConfigError(`${label} threw for ${where()}`, { option: 'redact' }, error)
  }
}

/** What was recorded is changed again before it is compared, so the second time must change nothing. */
function settled(label: string, change: (text: string, where: () => string) => string) {
  return (text: string, where: () => string): string => {
    const changed = change(text, where)
    if (changed === text || change(changed, where) === changed) return changed
    throw new ConfigError(
      `${label} changes its own result${where() && ` for ${where()}`}, so a recorded text could never match again`,
      { option: 'redact' },
    )
  }
}

const startsWith = (path: JsonPath, pattern: PathPattern): boolean =>
  pattern.length <= path.length && pattern.every((key, at) => key === ANY || key === path[at])
