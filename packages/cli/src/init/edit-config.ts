import type { ParseResult } from '@babel/parser'
import type * as ast from '@babel/types'
import {
  applyInsertions,
  type ConfigEdit,
  declarators,
  end,
  exportedValue,
  findObject,
  hasSpread,
  type Insertion,
  memberOf,
  parseConfig,
  placeFirst,
  placeInList,
  start,
} from './config-object.ts'

const source = 'retake/vitest'
const name = 'retake'
const call = `${name}()`
const wrappers = { defineConfig: 0, defineProject: 0, mergeConfig: 1 }

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
  // What imports the plugin is a module.
  const object = isModule(file) ? findObject(exportedValue(file), file, wrappers) : undefined
  if (!object) return { kind: 'by hand', reason: 'its exported object was not found' }
  const insertion = placePlugin(text, object)
  if (!insertion) return { kind: 'by hand', reason: 'its plugins are not written as a list' }
  return { kind: 'edited', text: applyInsertions(text, [placeImport(text, file), insertion]) }
}

/** The config of a project that has none. */
export const newConfig = `import { retake } from '${source}'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [retake()] })
`

/** What to add where `editConfig` does not. */
export const linesByHand = [`import { ${name} } from '${source}'`, `plugins: [${call}]`]

const isModule = ({ program }: ast.File): boolean =>
  program.body.some(({ type }) => type === 'ExportDefaultDeclaration')

const importsPlugin = ({ program }: ast.File): boolean =>
  program.body.some((node) => node.type === 'ImportDeclaration' && node.source.value === source)

const declaresName = ({ program }: ast.File): boolean =>
  program.body.some((node) => {
    if (node.type === 'ImportDeclaration') return node.specifiers.some(({ local }) => local.name === name)
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id?.name === name
    return declarators(node).some(({ id }) => id.type === 'Identifier' && id.name === name)
  })

const placePlugin = (text: string, object: ast.ObjectExpression): Insertion | undefined => {
  const own = memberOf(object, 'plugins')
  if (own) {
    return own.type === 'ObjectProperty' && own.value.type === 'ArrayExpression'
      ? placeInList(text, own.value, call)
      : undefined
  }
  // A spread may bring plugins of its own, which ours would replace.
  return hasSpread(object) ? undefined : placeFirst(text, object, [`plugins: [${call}]`])
}

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
