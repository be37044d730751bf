import { type Difference, parsePath } from '@retake/compare'
import type { JsonValue, ToolDefinition } from '@retake/trace'
import { type Property, propertyOf, rootName, toOutline } from './schema-outline.ts'
import { type BlockOptions, renderSigned, renderTextChange } from './text-change.ts'
import { cutText, toLine } from './text-width.ts'
import { formatJson, type Row, renderDifferences, renderRows } from './value-rows.ts'

const longestName = 40

/** A changed tool: description as text, input schema as an outline of what changed, the rest by path. */
export const renderToolChange = (
  before: ToolDefinition,
  after: ToolDefinition,
  differences: Difference[],
  options: BlockOptions,
): string[] => {
  const heading = (...parts: string[]): string =>
    options.style.title(['tools', cutText(toLine(after.name), longestName), ...parts].join(' › '))
  const lines: string[] = []
  if (before.description !== after.description) {
    lines.push(heading('description'), ...renderTextChange(before.description, after.description, options))
  }
  const rows = toSchemaRows(before.inputSchema, after.inputSchema)
  if (rows.length > 0) lines.push(heading('input', 'properties'), ...renderRows(rows, options))
  const told = new Set(rows.map(({ name }) => name))
  const others = differences.filter(({ path, ...values }) => {
    const [, , member, ...rest] = parsePath(path)
    return member === 'inputSchema' ? !told.has(propertyOf(rest, values)) : member !== 'description'
  })
  if (others.length > 0) lines.push(heading(), ...renderDifferences(others, /^tools\[\d+\]\.?/, options))
  return lines
}

/** Changed properties of a schema only. */
const toSchemaRows = (before: JsonValue | undefined, after: JsonValue | undefined): Row[] => {
  const [one, other] = [toOutline(before), toOutline(after)]
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => toRows(name, one.get(name), other.get(name)))
}

const toRows = (name: string, before: Property | undefined, after: Property | undefined): Row[] => {
  const row = { name: toLine(name) }
  if (!before)
    return after ? [{ ...row, after: `${after.type}   (new, ${after.isRequired ? '' : 'not '}required)` }] : []
  if (!after) return [{ ...row, before: before.type }]
  const rows: Row[] = []
  const requiredChanged = before.isRequired !== after.isRequired && name !== rootName
  if (before.type !== after.type || requiredChanged) {
    const note = ({ isRequired }: Property): string =>
      requiredChanged ? `   (${isRequired ? '' : 'not '}required)` : ''
    rows.push({ ...row, before: before.type + note(before), after: after.type + note(after) })
  }
  if (before.description !== after.description) {
    rows.push({
      ...row,
      ...(before.description !== undefined && { before: formatJson(before.description) }),
      ...(after.description !== undefined && { after: formatJson(after.description) }),
    })
  }
  return rows
}

/** A tool that only one side has: its name with its properties. */
export const renderWholeTool = (sign: '-' | '+', tool: ToolDefinition, { style, width }: BlockOptions): string =>
  renderSigned(sign, cutText(formatSignature(tool), width - 2), style)

const formatSignature = ({ name, inputSchema }: ToolDefinition): string => {
  const properties = [...toOutline(inputSchema).values()].filter(
    (property) => property.name !== rootName && !/[.[]/.test(property.name),
  )
  const list = properties.map((property) => `${property.name}${property.isRequired ? '' : '?'}: ${property.type}`)
  return toLine(`${name}(${list.join(', ')})`)
}
