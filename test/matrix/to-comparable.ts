/** Members that a replay makes anew; those that no cassette holds, or that are measured; and counts of nothing. */
const made = /^(id|itemId|item_id|responseId|created|created_at|createdAt|timestamp|completed_at)$/
const lost = new Set([
  'performance',
  'system_fingerprint',
  'service_tier',
  'serviceTier',
  'headers',
  'request_id',
  '_request_id',
  'requestId',
])

const isNoCount = (name: string, member: unknown): boolean =>
  /token_details$/.test(name) && JSON.stringify(member) === '{}'

/**
 * Plain data of what a client gave, to be compared between a run and its replay: ids and times become the order of
 * their first appearance.
 */
export const toComparable = (value: unknown): unknown => {
  const names = new Map<string, string>()
  const rename = (id: string): string => {
    if (!names.has(id)) names.set(id, `#${names.size}`)
    return names.get(id) ?? id
  }
  const visit = (item: unknown, name: string): unknown => {
    if (item instanceof Date) return 'a time'
    if (made.test(name) || /(Call|call|Use|_use)(Id|_id)$/.test(name)) {
      if (typeof item === 'string') return rename(item)
      if (typeof item === 'number') return 'a time'
    }
    if (Array.isArray(item)) return item.map((element) => visit(element, ''))
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(
      Object.entries(item).flatMap(([key, member]) =>
        lost.has(key) || typeof member === 'function' || isNoCount(key, member)
          ? []
          : [[names.get(key) ?? key, visit(member, key)]],
      ),
    )
  }
  return visit(value, '')
}
