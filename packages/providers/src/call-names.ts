/** The tools that the calls of a history name, by the id that results refer to. */
export interface CallNames {
  /** A message of an assistant begins: ids may start anew. */
  begin(): void
  add(id: string, name: string): void
  /** The tool whose result this is. `told` is the name that the result itself gives. Undefined for an unknown id. */
  take(id: string, told?: string): string | undefined
}

/**
 * Some vendors start again with the same ids in every reply, some send none: within one message one id can then stand
 * for several calls, whose results come in their order unless they name their tool.
 */
export const createCallNames = (): CallNames => {
  const names = new Map<string, { message: number; open: string[] }>()
  let message = 0
  return {
    begin() {
      message++
    },
    add(id, name) {
      const known = names.get(id)
      if (known?.message === message) known.open.push(name)
      else names.set(id, { message, open: [name] })
    },
    take(id, told) {
      const open = names.get(id)?.open ?? []
      if (open.length < 2) return open[0]
      return open.splice(Math.max(told === undefined ? 0 : open.indexOf(told), 0), 1)[0]
    },
  }
}
