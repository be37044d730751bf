import { changeKey } from '@retake/compare'
import type { ReviewItem } from './review-item.ts'

/** What can be accepted along with an item: those in which one of its causes is all that changed. */
export const findGroup = (item: ReviewItem, open: readonly ReviewItem[]): ReviewItem[] => {
  const causes = new Set(item.change?.requests.map(changeKey))
  return open.filter(({ change, problem }) => {
    const [only, ...others] = change?.requests ?? []
    const isOnly = only !== undefined && others.length === 0 && change?.behavior.length === 0
    return problem === undefined && isOnly && causes.has(changeKey(only))
  })
}
