import { type Wire, type WireRequest, wires } from '@retake/providers'
import type { JsonObject } from '@retake/trace'

const urls: Readonly<Record<string, string>> = {
  'openai.chat': 'https://api.openai.com/v1/chat/completions',
  'openai.responses': 'https://api.openai.com/v1/responses',
  'anthropic.messages': 'https://api.anthropic.com/v1/messages',
}

/** A wire that other tools record, and the request that a body would have been on it. */
export function wireOf(name: keyof typeof urls): { wire: Wire; toRequest: (body: JsonObject) => WireRequest } {
  const wire = wires.find((one) => one.name === name)
  if (!wire) throw new TypeError(`there is no wire ${name}`)
  return { wire, toRequest: (body) => ({ url: urls[name] as string, headers: {}, body }) }
}
