/** What a walk hands out: a string value, or a member name (then `isKey`, and the path is that of its owner). */
export interface JsonText {
  text: string
  path: readonly (string | number)[]
  isKey: boolean
}

/**
 * Visits every string and every member name of a value, depth first. `enter` decides by an object's place whether to
 * look into it: a walk over shared histories can skip what it has seen.
 */
export function walkJson(
  value: unknown,
  visit: (text: JsonText) => void,
  enter: (value: object, path: readonly (string | number)[]) => boolean = () => true,
): void {
  const path: (string | number)[] = []
  const step = (key: string | number, member: unknown): void => {
    path.push(key)
    walk(member)
    path.pop()
  }
  const walk = (value: unknown): void => {
    if (typeof value === 'string') visit({ text: value, path, isKey: false })
    if (typeof value !== 'object' || value === null || !enter(value, path)) return
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) step(at, value[at])
      return
    }
    for (const [key, member] of Object.entries(value)) {
      visit({ text: key, path, isKey: true })
      step(key, member)
    }
  }
  walk(value)
}
