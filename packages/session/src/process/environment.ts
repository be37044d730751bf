import { ConfigError, type JsonValue } from '@retake/trace'

/** What the `retake` command tells a process. */
export interface LaunchEnvironment {
  /** `RETAKE` where it says more than the modes of a test do. */
  launch?: 'record' | 'fork'
  cassette?: string
  /** The file to write, where it is not the cassette. */
  out?: string
  id?: string
  forkAt?: number
  forkSet?: JsonValue
  continueWith?: 'live' | 'script'
  /** Path of a JSON file with scripted replies. */
  script?: string
  match?: 'strict' | 'sequence'
  /** Hosts or URLs that are left alone. */
  allow?: string[]
  http?: 'record' | 'allow' | 'block'
  /** Whose base URLs a command beside this process is told, as they were typed. */
  baseUrl?: string
  /** A recording that says something else waits beside its cassette, as a take. */
  review?: boolean
  /** What is started, as it was typed; for messages. */
  command?: string
  /** Where the command wants to be told how the session ended. */
  report?: string
}

/**
 * Reads the variables of the launcher. An empty one counts as unset.
 * @throws ConfigError that names the variable, never its value
 */
export function readEnvironment(env: NodeJS.ProcessEnv): LaunchEnvironment {
  const read = (name: string): string | undefined => env[`RETAKE_${name}`] || undefined
  const mode = env.RETAKE
  return withoutUnset({
    launch: mode === 'record' || mode === 'fork' ? mode : undefined,
    cassette: read('CASSETTE'),
    out: read('OUT'),
    id: read('ID'),
    forkAt: toIndex(read('FORK_AT')),
    forkSet: toJson(read('FORK_SET')),
    continueWith: toChoice('RETAKE_CONTINUE', read('CONTINUE'), ['live', 'script']),
    script: read('SCRIPT'),
    match: toChoice('RETAKE_MATCH', read('MATCH'), ['strict', 'sequence']),
    allow: read('ALLOW')?.split(','),
    http: toChoice('RETAKE_HTTP', read('HTTP'), ['record', 'allow', 'block']),
    baseUrl: read('BASE_URL'),
    review: read('REVIEW') === undefined ? undefined : true,
    command: read('COMMAND'),
    report: read('REPORT'),
  })
}

type Unset<T> = { [K in keyof T]: T[K] | undefined }

const withoutUnset = <T extends object>(values: Unset<T>): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

function toIndex(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^(?:0|[1-9]\d*)$/.test(value)) return Number(value)
  throw new ConfigError('RETAKE_FORK_AT must be the index of a step: 0, 1, 2 …', { variable: 'RETAKE_FORK_AT' })
}

function toJson(value: string | undefined): JsonValue | undefined {
  if (value === undefined) return undefined
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    throw new ConfigError('RETAKE_FORK_SET must be JSON', { variable: 'RETAKE_FORK_SET' })
  }
}

function toChoice<T extends string>(variable: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  const choice = allowed.find((candidate) => candidate === value)
  if (choice !== undefined) return choice
  const list = allowed.map((candidate) => `"${candidate}"`).join(' or ')
  throw new ConfigError(`${variable} must be ${list}`, { variable })
}
