export interface CallLabel {
  label: string
  toolName: string
}

interface CallsOfId {
  turn: number
  open: CallLabel[]
  last: CallLabel
}

export interface CallLabels {
  /** Label of a tool_use: every occurrence gets the next one, whatever its id. */
  nameCall(id: string, toolName: string, turn: number): string
  /** Label of the call that a tool_result answers. */
  nameResult(id: string, toolName: string): CallLabel
}

/**
 * Labels that replace the ids of tool calls within one request, so that numbering never decides a comparison. A result
 * belongs to the latest turn before it that has its id; where that turn has the id twice (wires without ids), to the
 * first call still open, of its own tool if there is one. A result without a call keeps a label of its own.
 */
export const createCallLabels = (): CallLabels => {
  const calls = new Map<string, CallsOfId>()
  const strangers = new Map<string, CallLabel>()
  let count = 0

  const nameCall = (id: string, toolName: string, turn: number): string => {
    const call = { label: `call-${count++}`, toolName }
    const known = calls.get(id)
    if (known?.turn === turn) {
      known.open.push(call)
      known.last = call
    } else calls.set(id, { turn, open: [call], last: call })
    return call.label
  }

  const nameResult = (id: string, toolName: string): CallLabel => {
    const known = calls.get(id)
    if (known) {
      if (known.open.length < 2) return known.open.pop() ?? known.last
      const own = known.open.findIndex((call) => call.toolName === toolName)
      return known.open.splice(Math.max(own, 0), 1)[0] ?? known.last
    }
    const stranger = strangers.get(id) ?? { label: `unknown-${strangers.size}`, toolName: '' }
    strangers.set(id, stranger)
    return stranger
  }

  return { nameCall, nameResult }
}
