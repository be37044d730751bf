/** Fields of both APIs of OpenAI that change no answer: transport, accounting, caching. */
export const openaiIgnoredFields: readonly string[] = [
  'stream',
  'stream_options',
  'metadata',
  'user',
  'safety_identifier',
  'service_tier',
  'store',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]
