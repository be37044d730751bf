import { parsePathIn, requestRoots, withoutIgnored } from '@retake/compare'
import { ConfigError, isJsonObject, type ModelInput } from '@retake/trace'
import type { CassetteOptions } from './cassette.ts'
import type { RedactRule } from './redact/redact-rules.ts'
import { createRedaction, type Redaction } from './redact/redaction.ts'

/** What the options of a cassette change before anything is compared, on the recorded and the received side alike. */
export interface Comparison {
  readonly redaction: Redaction | undefined
  /** A request as it is compared and shown. */
  prepare(request: ModelInput): ModelInput
  /** The options that are in force, for messages; undefined for none. */
  readonly inForce: string | undefined
}

type Options = Pick<CassetteOptions, 'redact' | 'ignore' | 'normalize' | 'match' | 'allowUnused' | 'tools'>

/** The options in force that let a run pass which is not quite what was recorded. */
export const looseOptions = ({ ignore = [], normalize, match, allowUnused, tools }: Options): string[] => [
  ...(ignore.length > 0 ? ['ignore'] : []),
  ...(normalize ? ['normalize'] : []),
  ...(match === 'sequence' ? ["match: 'sequence'"] : []),
  ...(allowUnused ? ['allowUnused'] : []),
  ...(tools === 'live' ? ["tools: 'live'"] : []),
]

/** @throws ConfigError for a rule or path that is none */
export function createComparison(options: Options): Comparison {
  const { redact = [], ignore = [], normalize } = options
  for (const path of ignore) parsePathIn(requestRoots, path)
  const redaction = createRedaction(redact)
  const inForce = [
    ...(redact.length > 0 ? [`redact (${namesOf(redact)})`] : []),
    ...looseOptions(options).map((name) => (name === 'ignore' ? `ignore (${ignore.join(', ')})` : name)),
  ].join(', ')
  return {
    redaction,
    prepare(request) {
      const redacted = redaction ? redaction.request(request) : request
      return withoutIgnored(normalize ? normalized(normalize, redacted) : redacted, ignore)
    },
    inForce: inForce || undefined,
  }
}

/** Patterns stay unnamed: one can be made from a secret. */
function namesOf(rules: readonly RedactRule[]): string {
  const patterns = rules.filter((rule) => typeof rule === 'object').length
  const others = rules.flatMap((rule) => {
    if (typeof rule === 'string') return [rule]
    return typeof rule === 'function' ? [rule.name || 'a function'] : []
  })
  const counted = patterns === 0 ? [] : [patterns === 1 ? 'a pattern' : `${patterns} patterns`]
  return [...counted, ...others].join(', ')
}

/** The function may change what it gets: it is a copy. */
function normalized(normalize: (request: ModelInput) => ModelInput, request: ModelInput): ModelInput {
  let result: unknown
  try {
    result = normalize(structuredClone(request))
  } catch (error) {
    throw new ConfigError('normalize threw', { option: 'normalize' }, error)
  }
  if (isJsonObject(result) && Array.isArray(result.messages) && Array.isArray(result.tools)) {
    return result as ModelInput
  }
  throw new ConfigError('normalize must give a request back: an object with messages and tools', {
    option: 'normalize',
  })
}
