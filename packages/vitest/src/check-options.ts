import type { CassetteOptions } from '@retake/session'
import { ConfigError } from '@retake/trace'

/** Options of the plugin: defaults for every cassette of the project, and where the files go. */
export interface RetakeOptions extends Omit<CassetteOptions, 'name'> {
  /** Folder of the cassettes, beside each test file. Default `__cassettes__`. */
  dir?: string
}

type Check = { is: (value: unknown) => boolean; what: string }

const oneOf = (...values: string[]): Check => ({
  is: (value) => values.includes(value as string),
  what: values.map((value) => `'${value}'`).join(' or '),
})
const text: Check = {
  is: (value) => typeof value === 'string' && value.trim() !== '',
  what: 'a text that is not empty',
}
const flag: Check = { is: (value) => typeof value === 'boolean', what: 'true or false' }
const count: Check = { is: (value) => Number.isInteger(value) && (value as number) >= 0, what: 'a whole number' }
const patterns: Check = {
  is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' || item instanceof RegExp),
  what: 'a list of texts and regular expressions',
}

const shared: Record<keyof Omit<CassetteOptions, 'name'>, Check> = {
  mode: oneOf('auto', 'replay', 'update', 'off'),
  format: oneOf('v3', 'v2'),
  match: oneOf('strict', 'sequence'),
  allow: patterns,
  allowUnused: flag,
  maxLiveRequests: count,
}

const known = {
  'useCassette()': { ...shared, name: text } as Record<string, Check>,
  'retake()': { ...shared, dir: text } as Record<string, Check>,
}

/** @throws ConfigError for an option that does not exist or has a value of the wrong kind */
export const checkOptions = (call: keyof typeof known, options: object): void => {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const check = Object.hasOwn(known[call], name) ? known[call][name] : undefined
    if (!check) {
      throw new ConfigError(`${call} has no option "${name}"; it takes ${Object.keys(known[call]).sort().join(', ')}`, {
        option: name,
      })
    }
    if (!check.is(value)) throw new ConfigError(`${call}: ${name} must be ${check.what}`, { option: name })
  }
}
