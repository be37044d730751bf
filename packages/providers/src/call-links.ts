/** A call of a history, for the result that answers it. */
export interface CallLink {
  id: string
  name: string
}

export interface CallLinks {
  /** A turn of the model begins; the calls before it are over. */
  begin(): void
  add(id: string, name: string): void
  /** The call that a result answers: the open one with its id, else the first one of its tool, else the first. */
  take(id: string, name: string): CallLink | undefined
}

/** Ids are optional on this wire, and some clients drop them from calls, from results or from both. */
export const createCallLinks = (): CallLinks => {
  let open: CallLink[] = []
  return {
    begin() {
      open = []
    },
    add(id, name) {
      open.push({ id, name })
    },
    take(id, name) {
      const byId = id === '' ? -1 : open.findIndex((call) => call.id === id)
      const byName = open.findIndex((call) => call.name === name && (id === '' || call.id === ''))
      const nth = byId !== -1 ? byId : byName !== -1 ? byName : name === '' ? 0 : -1
      return nth === -1 ? undefined : open.splice(nth, 1)[0]
    },
  }
}
