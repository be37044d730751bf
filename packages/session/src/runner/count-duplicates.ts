/**
 * Numbers tests of equal titles: 1 for the first, 2 for the second. Ask in the order of definition, once a test.
 */
export const countDuplicates = (): ((titles: readonly string[]) => number) => {
  const seen = new Map<string, number>()
  return (titles) => {
    const key = JSON.stringify(titles)
    const number = (seen.get(key) ?? 0) + 1
    seen.set(key, number)
    return number
  }
}
