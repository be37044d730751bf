import { isRegExp } from 'node:util/types'
import { ConfigError } from '@retake/trace'
import type { CassetteOptions } from '../cassette.ts'

/** Folder of the cassettes, beside each test file. */
export const defaultDir = '__cassettes__'

/** Options of the plugin: defaults for every cassette of the project, and where the files go. */
export interface RetakeOptions extends Omit<CassetteOptions, 'name' | 'from' | 'fork' | 'script'> {
  /** Folder of the cassettes, beside each test file. Default `__cassettes__`. */
  dir?: string
  /** A cassette for every test that makes a model call, without `useCassette()`. */
  everyTest?: boolean
  /** What becomes of the model calls of a test that has no cassette. Default `error` under CI, else `allow`. */
  withoutCassette?: 'allow' | 'error'
  /** An update of snapshots, `-u`, records again too. Default false: it makes calls that cost. */
  updateWithSnapshots?: boolean
  /** Updates wait beside their cassettes, to be accepted or rejected: `retake review`. */
  review?: boolean
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
  is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' || isRegExp(item)),
  what: 'a list of texts and regular expressions',
}

const isRoute = (item: unknown): boolean => {
  const { url, wire } = Object(item) as { url?: unknown; wire?: unknown }
  return typeof url === 'string' && typeof wire === 'string'
}
const routes: Check = {
  is: (value) => Array.isArray(value) && value.every(isRoute),
  what: 'a list of { url, wire }, both texts',
}

const paths: Check = {
  is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  what: 'a list of request paths',
}
const rules: Check = {
  is: (value) =>
    Array.isArray(value) && value.every((item) => ['string', 'function'].includes(typeof item) || isRegExp(item)),
  what: 'a list of regular expressions, paths and functions',
}
const change: Check = { is: (value) => typeof value === 'function', what: 'a function' }

/** What is in it is looked at when the cassette opens. */
const members: Check = {
  is: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  what: 'an object: { from, at, set, then }',
}
const list: Check = { is: Array.isArray, what: 'a list of replies' }
// One of another realm is no instance.
const isDate = (value: unknown): boolean =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN((value as Date).getTime())

const clock: Check = {
  is: (value) => value === 'live' || value === 'recorded' || isDate(value),
  what: "'live' or 'recorded' or a valid Date",
}

const shared: Record<keyof Omit<CassetteOptions, 'name' | 'from' | 'fork' | 'script'>, Check> = {
  mode: oneOf('auto', 'replay', 'update', 'off'),
  format: oneOf('v3', 'v2'),
  match: oneOf('strict', 'sequence'),
  http: oneOf('record', 'allow', 'block'),
  allow: patterns,
  providers: routes,
  ignore: paths,
  normalize: change,
  redact: rules,
  allowUnused: flag,
  maxLiveRequests: count,
  pace: oneOf('instant', 'recorded'),
  tools: oneOf('replay', 'run', 'live'),
  clock,
}

/** What the plugin is given goes to the workers as data. */
const fromConfig: Record<string, Check> = {
  normalize: { is: () => false, what: 'given to useCassette(): a function does not reach the workers' },
  redact: {
    is: patterns.is,
    what: 'a list of regular expressions and paths; a function does not reach the workers: give it to useCassette()',
  },
}

const ofProject: Record<string, Check> = {
  ...shared,
  ...fromConfig,
  dir: text,
  everyTest: flag,
  withoutCassette: oneOf('allow', 'error'),
  updateWithSnapshots: flag,
  review: flag,
}

const ofRun: Record<string, Check> = { ...shared, from: text, fork: members, script: list }

type Call = 'useCassette()' | 'withCassette()' | 'createSession()' | 'retake()' | 'testEnvironmentOptions.retake'

const known: Record<Call, Record<string, Check>> = {
  'useCassette()': { ...ofRun, name: text },
  'withCassette()': { ...ofRun, name: text, cassette: text, dir: text, review: flag },
  'createSession()': {
    ...ofRun,
    mode: oneOf('auto', 'replay', 'update', 'record', 'off'),
    cassette: text,
    out: text,
    id: text,
    label: text,
    review: flag,
  },
  'retake()': ofProject,
  'testEnvironmentOptions.retake': ofProject,
}

/** @throws ConfigError for an option that does not exist or has a value of the wrong kind */
export const checkOptions = (call: Call, options: object): void => {
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
