// A reading of bodies that shares nothing with the wires: what a client could observe, member by member.

// biome-ignore lint/suspicious/noExplicitAny: bodies of any vendor
type Any = any

export const readBody = (wire: string, status: number, text: string): object => {
  const isJson = /^\s*[[{]/.test(text)
  if (status >= 400) return { error: isJson ? withoutIds(JSON.parse(text)) : text }
  const isChat = wire === 'openai.chat'
  if (isJson) return isChat ? readCompletion(JSON.parse(text)) : readMessage(JSON.parse(text))
  const events = text.split(/\r?\n\r?\n/).flatMap((block) => {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
    return data.length > 0 ? [data.join('\n')] : []
  })
  const payloads = events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data))
  return isChat ? readChunks(payloads) : readEvents(payloads)
}

const orNull = (value: Any) => (value === undefined || value === '' ? null : value)

const withoutIds = (body: Any): Any => {
  if (!body || typeof body !== 'object') return body
  const { request_id: _, ...rest } = body
  const error = rest.error && typeof rest.error === 'object' ? dropNulls(rest.error) : rest.error
  return { ...rest, ...(error !== undefined && { error }) }
}

const dropNulls = (object: Any) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

const chatUsage = (usage: Any) => ({
  input: usage?.prompt_tokens ?? 0,
  output: usage?.completion_tokens ?? 0,
  cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? 0,
  reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
  total: usage?.total_tokens ?? 0,
})

const chatCall = (call: Any) => ({
  id: call.id ?? '',
  name: call.function?.name ?? call.custom?.name,
  text: call.function?.arguments ?? call.custom?.input ?? '',
  extra: call.extra_content ?? null,
})

const chatMessage = (message: Any, reason: Any) => ({
  content: message.content ?? null,
  refusal: orNull(message.refusal),
  reasoning_content: orNull(message.reasoning_content),
  reasoning: orNull(message.reasoning),
  details: message.reasoning_details?.length ? message.reasoning_details : null,
  extra: message.extra_content ?? null,
  calls: (message.tool_calls ?? []).map(chatCall),
  reason: reason ?? null,
})

const readCompletion = (body: Any) => ({
  kind: body.object,
  choices: body.choices.map((choice: Any) => chatMessage(choice.message, choice.finish_reason)),
  model: body.model,
  usage: chatUsage(body.usage),
})

const readChunks = (chunks: Any[]) => {
  const message: Any = { tool_calls: [] }
  const order: string[] = []
  let reason: Any = null
  let usage: Any
  let model = ''
  let error: Any
  const add = (name: string, delta: Any) => {
    if (typeof delta !== 'string') return
    message[name] = (message[name] ?? '') + delta
    if (delta !== '' && order.at(-1) !== name) order.push(name)
  }
  for (const chunk of chunks) {
    if (chunk.error) error = dropNulls(chunk.error)
    model ||= chunk.model ?? ''
    usage = chunk.usage ?? chunk.x_groq?.usage ?? usage
    const choice = chunk.choices?.[0]
    if (!choice) continue
    reason = choice.finish_reason || reason
    const delta = choice.delta ?? {}
    for (const name of ['reasoning_content', 'reasoning', 'content', 'refusal']) add(name, delta[name])
    if (Array.isArray(delta.content)) {
      // Mistral sends text as a chunk or as plain content.
      for (const part of delta.content) {
        if (part.type === 'text') add('content', part.text)
        else add('chunk thinking', part.thinking.map((one: Any) => one.text).join(''))
      }
    }
    if (delta.reasoning_details?.length) {
      message.reasoning_details = [...(message.reasoning_details ?? []), ...delta.reasoning_details]
    }
    for (const call of delta.tool_calls ?? []) {
      const at = call.index ?? message.tool_calls.findIndex((one: Any) => one.id === call.id)
      const known = message.tool_calls[at]
      if (!known) {
        message.tool_calls.push(
          structuredClone({ ...call, function: { ...call.function, arguments: call.function?.arguments ?? '' } }),
        )
        order.push('call')
      } else known.function.arguments += call.function?.arguments ?? ''
    }
  }
  if (error) {
    // Nobody reads the rest of a stream that failed; where a vendor put its thinking is not kept of it.
    const { content, tool_calls: calls } = message
    return { error, content: content || null, thinking: message.reasoning ?? message.reasoning_content ?? null, calls }
  }
  return {
    ...chatMessage(message, reason),
    // Without a part before them an empty content and none are the same to whoever adds deltas up.
    content: message.tool_calls.length > 0 ? (message.content ?? null) : message.content || null,
    chunk: message['chunk thinking'] ?? null,
    order,
    model,
    usage: chatUsage(usage),
  }
}

const messageUsage = (usage: Any) => ({
  input: usage?.input_tokens ?? 0,
  output: usage?.output_tokens ?? 0,
  read: usage?.cache_read_input_tokens ?? 0,
  written: usage?.cache_creation_input_tokens ?? 0,
  thinking: usage?.output_tokens_details?.thinking_tokens ?? 0,
})

const messageBlock = (block: Any) => {
  const { citations: _, caller: __, cache_control: ___, ...rest } = block
  return rest
}

const readMessage = (body: Any) => ({
  type: body.type,
  role: body.role,
  content: body.content.map(messageBlock),
  reason: body.stop_reason ?? null,
  sequence: body.stop_sequence ?? null,
  details: body.stop_details ?? null,
  model: body.model,
  usage: messageUsage(body.usage),
})

const readEvents = (events: Any[]) => {
  let message: Any = {}
  let error: Any
  const blocks: Any[] = []
  const order: string[] = []
  for (const event of events) {
    if (event.type !== 'ping' && event.type !== 'content_block_delta') order.push(event.type)
    if (event.type === 'message_start') message = { ...event.message }
    if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, json: '' }
    if (event.type === 'content_block_delta') {
      const block = blocks[event.index]
      const { delta } = event
      if (delta.text !== undefined) block.text += delta.text
      if (delta.thinking !== undefined) block.thinking += delta.thinking
      if (delta.signature !== undefined) block.signature = (block.signature ?? '') + delta.signature
      if (delta.partial_json !== undefined) block.json += delta.partial_json
    }
    if (event.type === 'message_delta') {
      message = { ...message, ...event.delta, usage: { ...message.usage, ...event.usage } }
    }
    if (event.type === 'error') error = event.error
  }
  return {
    id: typeof message.id,
    content: blocks.map(messageBlock),
    reason: message.stop_reason ?? null,
    sequence: message.stop_sequence ?? null,
    details: message.stop_details ?? null,
    model: message.model,
    usage: messageUsage(message.usage),
    order,
    ...(error && { error }),
  }
}
