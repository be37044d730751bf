import type { Socket } from 'node:net'
import { isLoopback } from '@retake/providers'
import { BypassError } from '../errors.ts'
import { type Judge, judgeHere } from './attribution.ts'
import { failedConnect, type Target, targetOf } from './connect-target.ts'
import { type Connect, type SeamSession, shared } from './shared.ts'

/** No layer answers HTTP/2. The clients of AWS take another handler; those of Bedrock use HTTP/2 unless they are told. */
export const http2Remedy =
  'HTTP/2 is neither recorded nor replayed: use HTTP/1 (clients of AWS: `requestHandler: new NodeHttpHandler()` from @smithy/node-http-handler)'

/**
 * The bottom of the seam: while replaying, a connection to anything but loopback, a pipe or an allowed host fails like a
 * name that does not resolve, which every client knows how to report. Undefined where the connection may be opened.
 */
export function stopConnection(socket: Socket, args: unknown[], original: Connect): Socket | undefined {
  const target = targetOf(args)
  const error = target && findBypass(target)
  return error && failedConnect(socket, error, original)
}

/** Why nothing may be sent to this target here; remembered, so that the test fails even if the agent swallows it. */
export function findBypass({ host, port }: Target): BypassError | undefined {
  if (!host || isLoopback(host)) return undefined
  const judge = judgeHere()
  if (!judge || judge.session.allowsHost(host, port)) return undefined
  const error = bypassOf(judge, `${host.includes(':') ? `[${host}]` : host}:${port ?? '?'}`)
  if (judge.when === 'during') judge.session.fail(error)
  else if (!shared.late.includes(error)) shared.late.push(error)
  return error
}

/** By session, time and target: an agent that tries again makes no second error. */
const errors = new WeakMap<SeamSession, Map<string, BypassError>>()

function bypassOf({ session, when }: Judge, target: string): BypassError {
  const known = errors.get(session) ?? new Map<string, BypassError>()
  errors.set(session, known)
  const error = known.get(`${when} ${target}`) ?? new BypassError(explain[when](target, session.label), details())
  known.set(`${when} ${target}`, error)
  return error

  function details() {
    return { target, test: when === 'outside' ? '' : session.label }
  }
}

const explain: Record<Judge['when'], (target: string, test: string) => string> = {
  during: (target, test) =>
    `a connection to ${target} was stopped: nothing may leave the machine while replaying\n` +
    `  test    ${test}\n` +
    `  ${shared.way.getStore() === 'http2' ? http2Remedy : 'Wrap the tool that makes it with `cassette.tools()`'}, or let it pass with \`allow: ['${target}']\`.`,
  after: (target, test) =>
    `the test "${test}" opened a connection to ${target} after it had ended; it was stopped\n` +
    `  Await everything the agent starts before the test returns, or let it pass with \`allow: ['${target}']\`.`,
  outside: (target, test) =>
    `a connection to ${target} was stopped: nothing may leave the machine in a file that replays\n` +
    `  It came from outside every test, after "${test}" had ended. Let it pass with \`allow: ['${target}']\`.`,
}
