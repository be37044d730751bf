import { createColors, getDefaultColors } from 'tinyrainbow'
import { formatTokens } from './summary.ts'

/** A reply that a test has just recorded; `duration` in milliseconds. */
interface Reply {
  request: number
  tools: readonly string[]
  tokens?: { input: number; output: number }
  duration: number
}

/** One line, for somebody at a terminal. `test` is its full name. */
export const renderRecordedReply = (test: string, reply: Reply, hasColors: boolean): string => {
  const { red, dim } = hasColors ? createColors({ force: true }) : getDefaultColors()
  const { request, tools, tokens, duration } = reply
  const facts = [
    `request ${request}`,
    tools.length > 0 ? `→ ${tools.join(', ')}` : 'answer',
    ...(tokens ? [`${formatTokens(tokens.input + tokens.output)} tokens`] : []),
    `${(duration / 1000).toFixed(1)} s`,
  ]
  return ` ${red('●')} recording  ${test}  ${dim(facts.join('   '))}`
}

/** One line, for a log. `replies` are there already; `duration` since it began, in milliseconds. */
export const renderStillRecording = (test: string, replies: number, duration: number): string =>
  `still recording  ${test}  request ${replies + 1}  ${Math.round(duration / 1000)} s`
