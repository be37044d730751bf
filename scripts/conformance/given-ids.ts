import type { SentExchange } from './exchange.ts'
import type { HttpAnswer } from './read-said.ts'
import { type Body, parseValue } from './said.ts'
import { parseSse } from './sse.ts'

/** Ids that a provider can be asked about later: of a response and of its items, in order. */
const idsIn = ({ body }: HttpAnswer): string[] => {
  const whole = parseValue(body) as Body
  const last = whole === undefined ? parseSse(body).findLast(({ data }) => data !== '[DONE]') : undefined
  const response = whole ?? (parseValue(last?.data ?? '') as Body)?.response
  const items = Array.isArray(response?.output) ? response.output : []
  return [response?.id, ...items.map((item: Body) => item.id)].filter((id) => typeof id === 'string')
}

/** A replay gives other ids than the provider did. An agent would send those back; so does this. */
export const createGivenIds = () => {
  const given = new Map<string, string>()
  return {
    note(original: HttpAnswer, replayed: HttpAnswer): void {
      const others = idsIn(replayed)
      for (const [index, id] of idsIn(original).entries()) given.set(id, others[index] ?? id)
    },
    inRequest(exchange: SentExchange): SentExchange {
      if (given.size === 0) return exchange
      const text = JSON.stringify(exchange.request.body, (_, value) => given.get(value) ?? value)
      return { ...exchange, request: { ...exchange.request, body: JSON.parse(text) } }
    },
  }
}
