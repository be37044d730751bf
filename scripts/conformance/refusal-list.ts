/** The closed list: what retake may refuse. Kept here on its own, so that a name which slips in elsewhere is noticed. */
export const refusalList: ReadonlySet<string> = new Set([
  'hosted/server tools and their blocks',
  'citations, annotations, search results, grounding',
  'n > 1',
  'logprobs in the reply',
  'audio or image output',
  'background',
  'conversation',
  'cachedContent',
  'legacy functions',
  'history from outside the run',
  'compaction',
  'inline moderation',
  'continuation tokens',
  'empty captured body',
  // Not a feature: a body with status 200 that is no reply at all, of a proxy for example.
  'unreadable reply',
])
