import { basename } from 'node:path'
import { equalRequests } from '@retake/compare'
import {
  answersInStream,
  createHeldHistory,
  describeRoute,
  findEndpoint,
  findWire,
  isLoopback,
  isTelemetry,
  mcpControlAnswer,
  type ReadAnswer,
  readAnswer,
  statusPhrase,
  toHttpCallWithoutForms,
  type Wire,
  type WireRequest,
} from '@retake/providers'
import { type GivenKey, isJsonObject, keysOfRequest, parseJson, UnsupportedError } from '@retake/trace'
import { type Exchange, exchangesToRun, type ModelExchange } from '../exchanges-to-run.ts'
import type { Loss } from '../loss.ts'
import type { ReadRun } from '../run-format.ts'
import { type Interaction, toInteractions } from './interaction.ts'
import { parseRecording } from './parse-recording.ts'

export interface VcrRun extends ReadRun {
  /** The keys that its requests carry, which must stand nowhere else. */
  keys: GivenKey[]
}

/**
 * The run in a recording of VCR or vcrpy: each exchange with a model is read as while recording, each other one is a
 * request over HTTP, or listed.
 * @throws CassetteCorruptError for a text that is no recording
 * @throws UnsupportedError for an exchange that a replay could not give back, and where there is none that it could
 */
export function readVcr(text: string, path?: string, id = idOf(path)): VcrRun {
  const interactions = toInteractions(parseRecording(text, path), path)
  const reader = createReader()
  for (const [index, interaction] of interactions.entries()) {
    try {
      reader.read(interaction, `interaction ${index + 1}`)
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error
      const where = `interaction ${index + 1}`
      throw new UnsupportedError(
        `${where}${path === undefined ? '' : ` of ${path}`}: ${error.message}`,
        { ...error.details, interaction: index + 1 },
        error,
      )
    }
  }
  const { exchanges, lost } = reader
  if (exchanges.length === 0) {
    throw new UnsupportedError(
      `the recording has no exchange that retake replays${path === undefined ? '' : `\n  ${path}`}`,
      { name: 'nothing to replay' },
    )
  }
  const createdAt = exchanges[0]?.startedAt ?? 0
  const keys = interactions.flatMap(({ url, request }) => keysOfRequest(url.href, request.headers))
  return { ...exchangesToRun({ id, createdAt }, exchanges), lost, keys }
}

const idOf = (path = 'recording'): string => basename(path).replace(/\.(ya?ml|json)$/i, '')

const utf8 = new TextDecoder()

function createReader() {
  const history = createHeldHistory()
  const exchanges: Exchange[] = []
  const lost: Loss[] = []
  let time = 0

  function readModel(wire: Wire, asked: WireRequest, { status, response, at }: Interaction): void {
    const whole = history.resolve(wire, asked)
    const input = wire.readRequest(whole)
    const answer = toAnswer(wire, asked, { status, ...response })
    if ('reply' in answer) history.remember(whole, answer.reply.held)
    const startedAt = time
    time = Math.max(time, at ?? time)
    const failed = exchanges.filter(isOpen).find((one) => equalRequests(one.input, input))
    if (failed) failed.attempts.push({ ...answer, at: time })
    else exchanges.push({ input, startedAt: Math.max(startedAt, at ?? startedAt), attempts: [{ ...answer, at: time }] })
  }

  function readHttp(interaction: Interaction, where: string): void {
    const { method, url, request, status, statusText, response, at } = interaction
    const route = describeRoute(method, url)
    const endpoint = method === 'POST' && route ? findEndpoint(route.name) : undefined
    const reason = whyLeft(interaction) ?? (route && !endpoint ? `${route.name} is not replayed` : undefined)
    if (reason !== undefined) {
      lost.push({ where, what: reason })
      return
    }
    const { headers, bytes } = request
    const asked = { url, endpoint, method, headers, bytes, hidesBody: /^(GET|HEAD)$/.test(method) && bytes.length > 0 }
    // While recording it leaves no step either.
    if (mcpControlAnswer(asked)) return
    const call = toHttpCallWithoutForms(asked)
    const result = call.toResult({
      status,
      statusText: statusText || statusPhrase(status),
      headers: Object.fromEntries(response.headers),
      bytes: response.bytes,
    })
    time = Math.max(time, at ?? time)
    exchanges.push({ call, result, startedAt: time, endedAt: time })
  }

  return {
    exchanges,
    lost,
    /** @throws UnsupportedError */
    read(interaction: Interaction, where: string): void {
      const { method, url, request } = interaction
      const body = method === 'POST' ? parseJson(utf8.decode(request.bytes)) : undefined
      const wire = body === undefined ? undefined : findWire(url, body)
      if (!wire || !isJsonObject(body)) {
        readHttp(interaction, where)
        return
      }
      const asked = { url: url.href, headers: Object.fromEntries(request.headers), body }
      // Its answer is one that the client is given without asking the provider.
      if (wire.requestHistory?.(asked)) {
        throw new UnsupportedError('it leans on history that the provider holds', {
          name: 'history from outside the run',
        })
      }
      readModel(wire, asked, interaction)
    },
  }
}

/** Failed, and not answered since. */
const isOpen = (exchange: Exchange): exchange is ModelExchange =>
  'attempts' in exchange && exchange.attempts.every((attempt) => 'error' in attempt)

function whyLeft({ url, request, status }: Interaction): string | undefined {
  if (isLoopback(url.hostname)) return 'requests to this machine are left alone in a replay'
  if (isTelemetry(url)) return 'telemetry is left alone in a replay'
  if (request.headers.get('content-type')?.startsWith('multipart/')) return 'a form is recorded anew'
  if (status >= 300 && status < 400 && status !== 304) return 'a redirect is recorded anew, with where it leads'
  return status < 200 ? 'an informational response is no answer' : undefined
}

interface Answered {
  status: number
  headers: Headers
  bytes: Uint8Array
}

function toAnswer(wire: Wire, asked: WireRequest, { status, headers, bytes }: Answered): ReadAnswer {
  if (status >= 400) return { error: wire.readError(status, Object.fromEntries(headers), utf8.decode(bytes)) }
  if (!answersInStream(wire, asked, headers.get('content-type') ?? '')) return readAnswer(wire, utf8.decode(bytes))
  const stream = wire.openStream()
  stream.push(bytes)
  return stream.finish()
}
