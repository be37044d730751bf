import type { Reply } from '@retake/providers'
import type { RecordedReply } from '../cassette.ts'
import type { Exchange, RunLog } from './run-log.ts'

/** What can be said of a reply that came at a time of the clock. */
export const describeReply = (
  { exchanges }: RunLog,
  exchange: Exchange,
  { extras }: Reply,
  at: number,
): RecordedReply => {
  const { input, output } = extras.tokens ?? {}
  return {
    request: exchanges.indexOf(exchange) + 1,
    tools: exchange.calls.map(({ toolName }) => toolName),
    ...(input !== undefined && output !== undefined && { tokens: { input, output } }),
    duration: at - exchange.startedAt,
  }
}
