import { type Difference, parsePath } from '@retake/compare'
import type { ModelInput, ToolDefinition } from '@retake/trace'
import { count } from './text-change.ts'
import { toLine } from './text-width.ts'

const mostNames = 4

/** What two requests have in common: `model, system, 4 messages, 2 other tools (refund, send_mail), params`. */
export const formatEqualAreas = (recorded: ModelInput, received: ModelInput, differences: Difference[]): string => {
  const indexes = (area: string): Set<number> =>
    new Set(
      differences.flatMap(({ path, kind }) => {
        const [first, index] = parsePath(path)
        return first === area && typeof index === 'number' && kind !== 'removed' ? [index] : []
      }),
    )
  const differs = (area: string): boolean => differences.some(({ path }) => parsePath(path)[0] === area)
  const parts: string[] = []
  if (received.model !== undefined && !differs('model')) parts.push('model')
  if (received.systemPrompt !== undefined && !differs('systemPrompt')) parts.push('system')
  const messages = received.messages.length - indexes('messages').size
  if (messages > 0) parts.push(count(messages, differs('messages') ? 'other message' : 'message'))
  const changed = indexes('tools')
  const tools = received.tools.filter((_, index) => !changed.has(index))
  if (tools.length > 0) parts.push(formatTools(tools, recorded, differs('tools')))
  if (received.params && Object.keys(received.params).length > 0 && !differs('params')) parts.push('params')
  return parts.join(', ')
}

const formatTools = (tools: ToolDefinition[], recorded: ModelInput, some: boolean): string => {
  const names = tools.map(({ name }) => name)
  if (some) {
    const list = names.slice(0, mostNames).map(toLine).join(', ')
    return `${count(tools.length, 'other tool')} (${list}${names.length > mostNames ? ', …' : ''})`
  }
  const sameOrder = recorded.tools.every(({ name }, index) => name === names[index])
  return `${count(tools.length, 'tool')}${sameOrder ? '' : ' (in another order, which is no difference)'}`
}
