import { type ParseResult, parse, parseExpression } from '@babel/parser'
import type * as ast from '@babel/types'

/** What came of a config: its new text, no need for one, or why it is better changed by hand. */
export type ConfigEdit = { kind: 'edited'; text: string } | { kind: 'present' } | { kind: 'by hand'; reason: string }

export interface Insertion {
  at: number
  /** Where the text that is there goes; without it nothing does. */
  end?: number
  text: string
}

/** @throws SyntaxError */
export const parseConfig = (text: string): ParseResult<ast.File> =>
  parse(text, { sourceType: 'module', plugins: ['typescript'], errorRecovery: false })

/** @throws SyntaxError */
export const parseJsonConfig = (text: string): ast.Expression => parseExpression(text)

/** What a config exports, as a module or as CommonJS. */
export const exportedValue = ({ program }: ast.File): ast.Node | undefined => {
  const exported = program.body.find((node) => node.type === 'ExportDefaultDeclaration')
  if (exported) return exported.declaration
  const assignments = program.body.flatMap((node) =>
    node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression' ? [node.expression] : [],
  )
  return assignments.find(({ left }) => isModuleExports(left))?.right
}

const isModuleExports = (node: ast.Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'exports'

/** Functions that give back what they are given, by the place of that among their arguments. */
export type Wrappers = Readonly<Record<string, number>>

/** The object that a config comes down to: given as it is, to a wrapper, or by a function. */
export const findObject = (
  node: ast.Node | null | undefined,
  file: ast.File,
  wrappers: Wrappers,
): ast.ObjectExpression | undefined => {
  switch (node?.type) {
    case 'ObjectExpression':
      return node
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return findObject(node.expression, file, wrappers)
    case 'Identifier':
      return findObject(constant(node.name, file), file, wrappers)
    case 'CallExpression': {
      const at = node.callee.type === 'Identifier' ? wrappers[node.callee.name] : undefined
      return at === undefined ? undefined : findObject(node.arguments[at], file, wrappers)
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return findObject(node.body, file, wrappers)
    case 'BlockStatement':
      return findObject(onlyReturned(node), file, wrappers)
  }
  return undefined
}

const straight = new Set(['VariableDeclaration', 'ExpressionStatement', 'FunctionDeclaration', 'ReturnStatement'])

/** What a function returns, where nothing in it could return something else. */
const onlyReturned = ({ body }: ast.BlockStatement): ast.Node | null | undefined =>
  body.every(({ type }) => straight.has(type))
    ? body.find((node) => node.type === 'ReturnStatement')?.argument
    : undefined

export const declarators = (node: ast.Statement): ast.VariableDeclarator[] =>
  node.type === 'VariableDeclaration' && node.kind === 'const' ? node.declarations : []

const constant = (wanted: string, { program }: ast.File): ast.Node | null | undefined =>
  program.body.flatMap(declarators).find(({ id }) => id.type === 'Identifier' && id.name === wanted)?.init

export type Member = ast.ObjectExpression['properties'][number]

/** A member by its name. */
export const memberOf = (object: ast.ObjectExpression, name: string): Member | undefined =>
  object.properties.find((property) => property.type !== 'SpreadElement' && keyOf(property) === name)

/** Something may bring a member that is not written here. */
export const hasSpread = ({ properties }: ast.ObjectExpression): boolean =>
  properties.some(({ type }) => type === 'SpreadElement')

const keyOf = (property: ast.ObjectProperty | ast.ObjectMethod): string | undefined => {
  if (property.computed) return undefined
  if (property.key.type === 'Identifier') return property.key.name
  return property.key.type === 'StringLiteral' ? property.key.value : undefined
}

/** Before the other members, each on a line where those are. */
export const placeFirst = (text: string, object: ast.ObjectExpression, members: readonly string[]): Insertion => {
  const [first] = object.properties
  const at = start(object) + 1
  if (!first) return { at, text: ` ${members.join(', ')} ` }
  const before = lineStart(text, start(first)) ?? ' '
  return { at, text: members.map((member) => `${before}${member},`).join('') }
}

/** As the last of a list; undefined for a list with a hole there. */
export const placeInList = (text: string, list: ast.ArrayExpression, item: string): Insertion | undefined => {
  const last = list.elements.at(-1)
  if (last === undefined) return { at: start(list) + 1, text: item }
  return last === null ? undefined : { at: end(last), text: `,${lineStart(text, start(last)) ?? ' '}${item}` }
}

/** The line break and the indent before a place; undefined where something stands before it on its line. */
const lineStart = (text: string, place: number): string | undefined => /\r?\n[ \t]*$/.exec(text.slice(0, place))?.[0]

export const start = (node: ast.Node): number => node.start ?? 0
export const end = (node: ast.Node): number => node.end ?? 0

export const applyInsertions = (text: string, insertions: readonly Insertion[]): string =>
  insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((edited, { at, end = at, text: added }) => edited.slice(0, at) + added + edited.slice(end), text)
