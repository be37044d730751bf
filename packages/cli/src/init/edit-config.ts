import { type ParseResult, parse } from '@babel/parser'
import type * as ast from '@babel/types'

/** What came of a config: its new text, no need for one, or why it is better changed by hand. */
export type ConfigEdit = { kind: 'edited'; text: string } | { kind: 'present' } | { kind: 'by hand'; reason: string }

const source = 'retake/vitest'
const name = 'retake'

/**
 * Adds the plugin to the text of a Vitest config. Only what is certain is changed: the object of the default export,
 * where it is found, and nothing that a spread or a computed value could override.
 */
export const editConfig = (text: string): ConfigEdit => {
  let file: ParseResult<ast.File>
  try {
    file = parseConfig(text)
  } catch {
    return { kind: 'by hand', reason: 'it cannot be parsed' }
  }
  if (importsPlugin(file)) return { kind: 'present' }
  if (declaresName(file)) return { kind: 'by hand', reason: `it has another \`${name}\`` }
  const object = findObject(exportedValue(file), file)
  if (!object) return { kind: 'by hand', reason: 'its exported object was not found' }
  const insertion = placePlugin(text, object)
  if (!insertion) return { kind: 'by hand', reason: 'its plugins are not written as a list' }
  return { kind: 'edited', text: apply(text, [placeImport(text, file), insertion]) }
}

/** The config of a project that has none. */
export const newConfig = `import { retake } from '${source}'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [retake()] })
`

/** What to add where `editConfig` does not. */
export const linesByHand = [`import { ${name} } from '${source}'`, `plugins: [${name}()]`]

const parseConfig = (text: string): ParseResult<ast.File> =>
  parse(text, { sourceType: 'module', plugins: ['typescript'], errorRecovery: false })

const importsPlugin = ({ program }: ast.File): boolean =>
  program.body.some((node) => node.type === 'ImportDeclaration' && node.source.value === source)

const declaresName = ({ program }: ast.File): boolean =>
  program.body.some((node) => {
    if (node.type === 'ImportDeclaration') return node.specifiers.some(({ local }) => local.name === name)
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id?.name === name
    return declarators(node).some(({ id }) => id.type === 'Identifier' && id.name === name)
  })

const declarators = (node: ast.Statement): ast.VariableDeclarator[] =>
  node.type === 'VariableDeclaration' && node.kind === 'const' ? node.declarations : []

const exportedValue = ({ program }: ast.File): ast.Node | undefined =>
  program.body.find((node) => node.type === 'ExportDefaultDeclaration')?.declaration

const wrappers = new Set(['defineConfig', 'defineProject'])

/** The object that a config comes down to: given as it is, to `defineConfig`, last to `mergeConfig`, or by a function. */
const findObject = (node: ast.Node | null | undefined, file: ast.File): ast.ObjectExpression | undefined => {
  switch (node?.type) {
    case 'ObjectExpression':
      return node
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return findObject(node.expression, file)
    case 'Identifier':
      return findObject(constant(node.name, file), file)
    case 'CallExpression': {
      const called = node.callee.type === 'Identifier' ? node.callee.name : ''
      if (wrappers.has(called)) return findObject(node.arguments[0], file)
      return called === 'mergeConfig' ? findObject(node.arguments[1], file) : undefined
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return findObject(node.body, file)
    case 'BlockStatement':
      return findObject(onlyReturned(node), file)
  }
  return undefined
}

const straight = new Set(['VariableDeclaration', 'ExpressionStatement', 'FunctionDeclaration', 'ReturnStatement'])

/** What a function returns, where nothing in it could return something else. */
const onlyReturned = ({ body }: ast.BlockStatement): ast.Node | null | undefined =>
  body.every(({ type }) => straight.has(type))
    ? body.find((node) => node.type === 'ReturnStatement')?.argument
    : undefined

const constant = (wanted: string, { program }: ast.File): ast.Node | null | undefined =>
  program.body.flatMap(declarators).find(({ id }) => id.type === 'Identifier' && id.name === wanted)?.init

interface Insertion {
  at: number
  text: string
}

const call = `${name}()`

const placePlugin = (text: string, object: ast.ObjectExpression): Insertion | undefined => {
  const { properties } = object
  const own = properties.find((property) => property.type !== 'SpreadElement' && keyOf(property) === 'plugins')
  if (own) {
    return own.type === 'ObjectProperty' && own.value.type === 'ArrayExpression'
      ? placeInList(text, own.value)
      : undefined
  }
  // A spread may bring plugins of its own, which ours would replace.
  if (properties.some(({ type }) => type === 'SpreadElement')) return undefined
  const [first] = properties
  const at = start(object) + 1
  if (!first) return { at, text: ` plugins: [${call}] ` }
  return { at, text: `${lineStart(text, start(first)) ?? ' '}plugins: [${call}],` }
}

const keyOf = (property: ast.ObjectProperty | ast.ObjectMethod): string | undefined => {
  if (property.computed) return undefined
  if (property.key.type === 'Identifier') return property.key.name
  return property.key.type === 'StringLiteral' ? property.key.value : undefined
}

/** As the last of the list. */
const placeInList = (text: string, list: ast.ArrayExpression): Insertion | undefined => {
  const last = list.elements.at(-1)
  if (last === undefined) return { at: start(list) + 1, text: call }
  return last === null ? undefined : { at: end(last), text: `,${lineStart(text, start(last)) ?? ' '}${call}` }
}

/** The line break and the indent before a place; undefined where something stands before it on its line. */
const lineStart = (text: string, place: number): string | undefined => /\r?\n[ \t]*$/.exec(text.slice(0, place))?.[0]

/** Behind the last import, in the quotes and with the semicolon that the first one has. */
const placeImport = (text: string, { program }: ast.File): Insertion => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const imports = program.body.filter((node) => node.type === 'ImportDeclaration')
  const [first] = imports
  const last = imports.at(-1)
  if (!first || !last) {
    return { at: startOfCode(program), text: `import { ${name} } from '${source}'${newline}${newline}` }
  }
  const quote = text[start(first.source)]
  const semicolon = text[end(first) - 1] === ';' ? ';' : ''
  return { at: end(last), text: `${newline}import { ${name} } from ${quote}${source}${quote}${semicolon}` }
}

/** Before the first statement and the comments that belong to it, which those of a file (`/// <reference …>`) do not. */
const startOfCode = ({ body: [first] }: ast.Program): number => {
  const comment = first?.leadingComments?.find(({ value }) => !value.startsWith('/'))
  return comment?.start ?? first?.start ?? 0
}

const start = (node: ast.Node): number => node.start ?? 0
const end = (node: ast.Node): number => node.end ?? 0

const apply = (text: string, insertions: Insertion[]): string =>
  insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((edited, { at, text: added }) => edited.slice(0, at) + added + edited.slice(at), text)
