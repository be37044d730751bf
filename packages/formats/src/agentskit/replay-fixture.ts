import {
  CassetteCorruptError,
  ConfigError,
  Fault,
  formatPath,
  isJsonObject,
  type JsonPath,
  type JsonValue,
  readJson,
  reportFaults,
  toStoredJson,
} from '@retake/trace'
import * as v from 'valibot'
import { type AdapterCassette, serializeAdapterCassette, toAdapterCassette } from './adapter-cassette.ts'
import {
  type ApplicationTraceRecord,
  applicationTraces,
  findOrderFault,
  firstIssue,
  objectIssue,
} from './application-trace.ts'

/** The traffic with a model and, beside it, what the application decided. */
export interface ReplayFixture {
  readonly protocol: 'agentskit.chat.replay'
  readonly version: 1
  readonly cassette: AdapterCassette
  readonly traces: readonly ApplicationTraceRecord[]
}

const maxFixtureBytes = 16 * 2 ** 20

const envelope = v.strictObject(
  {
    protocol: v.literal('agentskit.chat.replay', 'The protocol of a replay fixture is agentskit.chat.replay.'),
    version: v.literal(1, 'The version of a replay fixture is 1.'),
    cassette: v.unknown(),
    traces: applicationTraces,
  },
  objectIssue('A replay fixture'),
)

/**
 * A fixture of copies of both.
 * @throws ConfigError for a cassette or traces that break the format
 */
export function createReplayFixture(
  cassette: AdapterCassette,
  traces: readonly ApplicationTraceRecord[],
): ReplayFixture {
  const given = { protocol: 'agentskit.chat.replay', version: 1, cassette, traces }
  try {
    return toReplayFixture(toStoredJson(given, 'the replay fixture'))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const where = typeof error.at === 'number' ? '' : formatPath(error.at)
    throw new ConfigError(`the replay fixture cannot be made: ${error.message}${where && `\n  ${where}`}`, { where })
  }
}

/**
 * Text to commit, indented by two.
 * @throws ConfigError for a fixture that could not be read again
 */
export function serializeReplayFixture({ cassette, traces }: ReplayFixture): string {
  const fixture = createReplayFixture(cassette, traces)
  const text = JSON.stringify({ ...fixture, cassette: JSON.parse(serializeAdapterCassette(fixture.cassette)) }, null, 2)
  if (Buffer.byteLength(text) > maxFixtureBytes) throw new ConfigError('Replay fixture exceeds 16 MiB.')
  return text
}

/**
 * The fixture in a text: its envelope, the causal order of its traces and its cassette are checked.
 * @param path of the file, for messages
 * @throws CassetteCorruptError with line and column; larger than 16 MiB before any of it is parsed
 */
export function parseReplayFixture(text: string, path?: string): ReplayFixture {
  if (Buffer.byteLength(text) > maxFixtureBytes) {
    throw new CassetteCorruptError(`Replay fixture exceeds 16 MiB.${path === undefined ? '' : `\n  ${path}`}`, {
      ...(path !== undefined && { path }),
    })
  }
  const value = readJson(text, path)
  return reportFaults(text, path, () => toReplayFixture(value))
}

/** @throws Fault */
function toReplayFixture(value: JsonValue): ReplayFixture {
  refuse(firstIssue(envelope, value))
  const fixture = value as unknown as ReplayFixture
  const order = findOrderFault(fixture.traces)
  refuse(order && { ...order, path: ['traces', ...order.path] })
  const { protocol, version, traces } = fixture
  return { protocol, version, cassette: cassetteOf(value), traces }
}

function cassetteOf(value: JsonValue): AdapterCassette {
  try {
    return toAdapterCassette(isJsonObject(value) ? (value.cassette ?? null) : null)
  } catch (error) {
    if (error instanceof Fault && typeof error.at !== 'number')
      throw new Fault(error.message, ['cassette', ...error.at])
    throw error
  }
}

function refuse(fault: { reason: string; path: JsonPath } | undefined): void {
  if (fault) throw new Fault(fault.reason, fault.path)
}
