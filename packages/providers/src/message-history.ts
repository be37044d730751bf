import type { Message, MessagePart } from '@retake/trace'

export interface ReadHistory {
  systemPrompt?: string
  messages: Message[]
}

/** Puts the messages of a wire in order that has a message for each tool result, and its instructions among them. */
export const createMessageHistory = () => {
  const instructions: string[] = []
  const messages: Message[] = []
  let results: MessagePart[] | undefined
  const add = (message: Message): void => {
    results = undefined
    messages.push(message)
  }
  return {
    add,
    /** Results in a row are one turn. */
    addResult(part: MessagePart): void {
      if (!results) {
        const turn: MessagePart[] = []
        add({ role: 'user', content: turn })
        results = turn
      }
      results.push(part)
    },
    /** Before the first message it becomes a part of the system prompt, if it is a plain text; later it stays in its place. */
    addInstruction(message: Message): void {
      const { role: _, content, ...more } = message
      const isPlain = typeof content === 'string' && Object.keys(more).length === 0
      if (messages.length === 0 && isPlain) instructions.push(content)
      else add(message)
    },
    read(): ReadHistory {
      const systemPrompt = instructions.filter((text) => text !== '').join('\n\n')
      return { ...(systemPrompt !== '' && { systemPrompt }), messages }
    },
  }
}
