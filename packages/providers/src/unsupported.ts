import { UnsupportedError } from '@retake/trace'

/** Everything retake refuses to record because a replay could not give it back: the name, and what to do instead. */
export const refusals = {
  'hosted/server tools and their blocks':
    'let your own code run the tool, or answer this request with a mock of your own',
  'citations, annotations, search results, grounding':
    'switch search or citations off for this request, or answer it with a mock of your own',
  'n > 1': 'ask for one choice a request, and send the request several times',
  'logprobs in the reply': 'leave logprobs out of the request',
  'audio or image output': 'ask for text only, or answer this request with a mock of your own',
  background: 'wait for the reply instead of asking for it in the background',
  conversation: 'send the whole history with each request',
  cachedContent: 'send the cached content with the request',
  'legacy functions': 'use tools and tool_choice instead of functions and function_call',
  'history from outside the run': 'send the whole history with each request, or begin the conversation inside the test',
  compaction: 'switch compaction off, or shorten the history in your own code',
  'inline moderation': 'send moderation as a request of its own',
  'continuation tokens': 'ask for the whole reply in one request',
  'empty captured body': 'record again: the provider, or something before it, sent no body',
  'unreadable reply': 'check the base URL: the answer is not in the shape of this API',
} as const satisfies Readonly<Record<string, string>>

export type RefusalName = keyof typeof refusals

/** The error for one refused thing. `field` is its path in the request or the reply. */
export const unsupported = (name: RefusalName, field: string): UnsupportedError =>
  new UnsupportedError(`${field} is not supported yet (${name}); ${refusals[name]}`, { name, field })
