import type { StepExtras } from '../cassette-file.ts'
import { ConfigError } from '../error.ts'
import { Fault } from '../json/fault.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'
import type { Trace } from '../trace.ts'
import { formatChunks, parseChunks } from './chunks.ts'
import { fail, onlyMembers, type Place, within } from './stored-value.ts'

const tokenNames = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const
const names = ['step', 'tokens', 'servedModel', 'firstByteMs', 'durationMs', 'chunks', 'opaque']

/** @throws ConfigError for entries that do not rise, that belong to no model_output, or that hold other than they should */
export function toStoredExtras(extras: readonly StepExtras[], trace: Trace): JsonObject[] {
  let previous = -1
  return extras.flatMap((entry) => {
    if (entry.step <= previous || trace.steps[entry.step]?.type !== 'model_output') {
      throw new ConfigError(
        `the extras of step ${entry.step} belong to no model_output, or stand twice or out of order`,
        {
          step: entry.step,
        },
      )
    }
    previous = entry.step
    const stored = toStoredEntry(entry)
    refuseOddEntry(stored)
    return Object.keys(stored).length > 1 ? [stored] : []
  })
}

/** What is written must be readable. */
function refuseOddEntry(stored: JsonObject): void {
  try {
    fromStoredEntry(stored, Number.POSITIVE_INFINITY, [])
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new ConfigError(`the extras of step ${stored.step} cannot be written: ${error.message}`, {
      step: stored.step,
    })
  }
}

function toStoredEntry({ step, tokens = {}, chunks, opaque, ...rest }: StepExtras): JsonObject {
  const { servedModel, firstByteMs, durationMs } = rest
  const counts = tokenNames.flatMap((name) => (tokens[name] === undefined ? [] : [[name, tokens[name]] as const]))
  return {
    step,
    ...(counts.length === 0 ? {} : { tokens: Object.fromEntries(counts) }),
    ...(servedModel === undefined ? {} : { servedModel }),
    ...(firstByteMs === undefined ? {} : { firstByteMs }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(chunks === undefined ? {} : { chunks: formatChunks(chunks) }),
    ...(opaque === undefined ? {} : { opaque: opaque.map(({ part, kind, value }) => ({ part, kind, value })) }),
  }
}

/**
 * @param isReply whether a step is a model_output
 * @param mostChunks over all entries
 * @throws Fault
 */
export function fromStoredExtras(
  value: JsonValue,
  isReply: (step: number) => boolean,
  mostChunks: number,
  place: Place,
): StepExtras[] {
  if (!Array.isArray(value)) return fail('extras is no array', place)
  let previous = -1
  let room = mostChunks
  return value.map((entry, at) =>
    within(place, at, () => {
      const read = fromStoredEntry(entry, room, place)
      if (read.step <= previous || !isReply(read.step)) fail('step is no later model_output', place)
      previous = read.step
      room -= read.chunks?.length ?? 0
      return read
    }),
  )
}

function fromStoredEntry(entry: JsonValue, mostChunks: number, place: Place): StepExtras {
  const members = onlyMembers(entry, names, place)
  if (!isCount(members.step)) return fail('step is no index', place)
  for (const name of ['firstByteMs', 'durationMs']) requireMember(members, name, isAmount, place)
  requireMember(members, 'servedModel', (value) => typeof value === 'string', place)
  requireMember(members, 'chunks', (value) => typeof value === 'string', place)
  requireMember(members, 'opaque', Array.isArray, place)
  const { tokens, chunks, opaque } = members
  if (tokens !== undefined) {
    within(place, 'tokens', () => {
      const counts = onlyMembers(tokens, tokenNames, place)
      for (const name of tokenNames) requireMember(counts, name, isCount, place)
    })
  }
  if (Array.isArray(opaque)) {
    within(place, 'opaque', () => {
      for (const [at, item] of opaque.entries()) checkOpaque(item, at, place)
    })
  }
  return {
    ...members,
    ...(typeof chunks === 'string' ? { chunks: parseChunks(chunks, mostChunks, [...place, 'chunks']) } : {}),
  } as unknown as StepExtras
}

function checkOpaque(item: JsonValue, at: number, place: Place): void {
  within(place, at, () => {
    const members = onlyMembers(item, ['part', 'kind', 'value'], place)
    const isWhole = isCount(members.part) && typeof members.kind === 'string' && Object.hasOwn(members, 'value')
    if (!isWhole) fail('an opaque value lacks its part, kind or value', place)
  })
}

function requireMember(owner: JsonObject, name: string, accepts: (value: unknown) => boolean, place: Place): void {
  if (Object.hasOwn(owner, name) && !accepts(owner[name])) fail(`${name} is not of its kind`, [...place, name])
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0
