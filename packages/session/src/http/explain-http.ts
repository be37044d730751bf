import type { Difference } from '@retake/compare'
import type { HttpCall } from '@retake/providers'
import type { RetakeError } from '@retake/trace'
import { CassetteExhaustedError, CassetteMismatchError, StepUsedError } from '../errors.ts'
import { headline, listed, ordinal } from '../replay/explain.ts'
import { createMask, masked } from '../replay/mask.ts'
import { missMessage, type Place } from '../replay/miss-message.ts'
import type { RecordedTool } from '../replay/recorded-run.ts'
import type { HttpRequest } from './http-request.ts'

/** Why a request was not served. */
export type HttpMiss =
  | { kind: 'mismatch'; tool: RecordedTool; differences: Difference[] }
  | { kind: 'used'; tool: RecordedTool }
  | { kind: 'exhausted' }

interface Missed {
  call: HttpCall
  request: HttpRequest
  /** Number of the request in this run, from 1, and how many the cassette has. */
  number: number
  total: number
  place: Place
}

const nouns = { http: 'HTTP request', mcp: 'MCP tool', endpoint: 'request to' } as const

/** The typed error for a request over HTTP that strict replay could not serve. */
export function explainHttpMiss(miss: HttpMiss, { call, request, number, total, place }: Missed): RetakeError {
  const mask = createMask({ url: request.url.href, headers: request.headers })
  const name = mask(call.toolName)
  const details = { path: place.path, test: place.test, request: number, requests: total, http: name }
  const what = `the ${nouns[call.origin]} "${name}"`
  const more = [leaveAlone(request, place)]
  switch (miss.kind) {
    case 'mismatch': {
      const differences = masked(miss.differences, mask)
      const recorded = mask(miss.tool.call.toolName)
      const head =
        recorded === name
          ? `${what} is not as recorded: ${headline(differences)}`
          : `${what} is not in the cassette; the closest recorded one is "${recorded}"`
      return new CassetteMismatchError(missMessage(place, { head, evidence: listed(differences), more }).message, {
        ...details,
        step: miss.tool.step,
        differences,
      })
    }
    case 'used': {
      const head = `${what} repeats one whose recorded response was given already`
      return new StepUsedError(missMessage(place, { head, more }).message, { ...details, step: miss.tool.step })
    }
    case 'exhausted': {
      const head = `the agent made ${ordinal(number)} HTTP request, "${name}"; the cassette has ${total}`
      return new CassetteExhaustedError(missMessage(place, { head, more }).message, details)
    }
  }
}

/** The way out where nobody can know what is asked: an agent that reads a page which changes. */
const leaveAlone = ({ url: { host } }: HttpRequest, { runKind }: Place): string =>
  runKind === 'run'
    ? `Leave it alone with --allow ${host}, while recording too, or record it.`
    : `Leave it alone with \`allow: ['${host}']\`, or record it.`
