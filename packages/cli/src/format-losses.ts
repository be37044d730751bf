import type { Loss } from '@retake/formats'

/** What is lost, a line a kind: the first place, and in how many it is. */
export const formatLosses = (lost: readonly Loss[]): string[] => {
  const places = new Map<string, Set<string>>()
  for (const { where, what } of lost) places.set(what, (places.get(what) ?? new Set()).add(where))
  return [...places].map(([what, wheres]) => {
    const [first = ''] = wheres
    const more = wheres.size > 1 ? ` (${wheres.size} places)` : ''
    return `${first === '' ? '' : `${first}: `}${what}${more}`
  })
}
