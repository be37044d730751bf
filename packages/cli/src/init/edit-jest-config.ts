import type * as ast from '@babel/types'
import {
  applyInsertions,
  type ConfigEdit,
  end,
  exportedValue,
  findObject,
  hasSpread,
  type Insertion,
  memberOf,
  parseConfig,
  parseJsonConfig,
  placeFirst,
  placeInList,
  start,
} from './config-object.ts'

const reporter = 'retake/jest/reporter'
const environments = { node: 'retake/jest/node', jsdom: 'retake/jest/jsdom' }
const wrappers = { defineConfig: 0, createJestConfig: 0 }

/** How a config is written: a module or CommonJS, JSON, or the member `jest` of a package.json. */
export type ConfigSyntax = 'code' | 'json' | 'package.json'

/**
 * Puts the environment and the reporter into the text of a Jest config. Only what is certain is changed; an environment
 * of the project's own is left to the user.
 */
export const editJestConfig = (text: string, syntax: ConfigSyntax): ConfigEdit => {
  let config: ast.ObjectExpression | undefined
  try {
    config = findConfig(text, syntax)
  } catch {
    return { kind: 'by hand', reason: 'it cannot be parsed' }
  }
  if (!config) return { kind: 'by hand', reason: 'its exported object was not found' }
  const write = createWriter(syntax)
  const projects = listProjects(config)
  if (!projects) return { kind: 'by hand', reason: 'its projects have configs of their own' }
  const edits = [...projects.map((project) => editEnvironment(project, write)), editReporters(text, config, write)]
  const refusal = edits.find((edit) => typeof edit === 'string')
  if (refusal !== undefined) return { kind: 'by hand', reason: refusal }
  const insertions = toInsertions(
    text,
    edits.filter((edit) => typeof edit !== 'string'),
  )
  return insertions.length === 0 ? { kind: 'present' } : { kind: 'edited', text: applyInsertions(text, insertions) }
}

/** The config of a project that has none. */
export const newJestConfig = ({ isModule, hasTsJest }: { isModule: boolean; hasTsJest: boolean }): string =>
  [
    isModule ? 'export default {' : 'module.exports = {',
    `  testEnvironment: '${environments.node}',`,
    `  reporters: ['default', '${reporter}'],`,
    ...(hasTsJest ? ["  transform: { '^.+\\\\.tsx?$': 'ts-jest' },"] : []),
    '}\n',
  ].join('\n')

/** What to add where `editJestConfig` does not. */
export const jestLinesByHand = [
  `testEnvironment: '${environments.node}', or '${environments.jsdom}'`,
  `reporters: ['default', '${reporter}']`,
  "an environment of your own: withRetake(MyEnvironment), from 'retake/jest'",
]

/** A member that an object lacks, another text in the place of one, or why neither can be said. */
type Edit = { object: ast.ObjectExpression; member: string } | Insertion | undefined | string

const findConfig = (text: string, syntax: ConfigSyntax): ast.ObjectExpression | undefined => {
  if (syntax === 'code') {
    const file = parseConfig(text)
    return findObject(exportedValue(file), file, wrappers)
  }
  const root = parseJsonConfig(text)
  if (root.type !== 'ObjectExpression' || syntax === 'json') return root.type === 'ObjectExpression' ? root : undefined
  const jest = memberOf(root, 'jest')
  return jest?.type === 'ObjectProperty' && jest.value.type === 'ObjectExpression' ? jest.value : undefined
}

interface Writer {
  member(name: string, value: string): string
  text(value: string): string
}

const createWriter = (syntax: ConfigSyntax): Writer =>
  syntax === 'code'
    ? { member: (name, value) => `${name}: ${value}`, text: (value) => `'${value}'` }
    : { member: (name, value) => `"${name}": ${value}`, text: (value) => JSON.stringify(value) }

/** The objects that have an environment; undefined where some are in other files. */
const listProjects = (config: ast.ObjectExpression): ast.ObjectExpression[] | undefined => {
  const projects = memberOf(config, 'projects')
  if (!projects) return [config]
  if (projects.type !== 'ObjectProperty' || projects.value.type !== 'ArrayExpression') return undefined
  const objects = projects.value.elements.filter((element) => element?.type === 'ObjectExpression')
  return objects.length === projects.value.elements.length ? objects : undefined
}

const editEnvironment = (config: ast.ObjectExpression, write: Writer): Edit => {
  const own = memberOf(config, 'testEnvironment')
  if (!own) {
    if (hasSpread(config)) return 'a spread may bring an environment of its own'
    return { object: config, member: write.member('testEnvironment', write.text(environments.node)) }
  }
  const value = own.type === 'ObjectProperty' && own.value.type === 'StringLiteral' ? own.value : undefined
  if (!value) return 'its environment is not written as a text'
  if (value.value.startsWith('retake/jest/')) return undefined
  const name = /^(?:jest-environment-)?(node|jsdom)$/.exec(value.value)?.[1] as keyof typeof environments | undefined
  if (!name) return 'it has an environment of its own'
  return { at: start(value), end: end(value), text: write.text(environments[name]) }
}

const editReporters = (text: string, config: ast.ObjectExpression, write: Writer): Edit => {
  const own = memberOf(config, 'reporters')
  if (!own) {
    if (hasSpread(config)) return 'a spread may bring reporters of its own'
    const list = `[${write.text('default')}, ${write.text(reporter)}]`
    return { object: config, member: write.member('reporters', list) }
  }
  if (own.type !== 'ObjectProperty' || own.value.type !== 'ArrayExpression') {
    return 'its reporters are not written as a list'
  }
  const has = own.value.elements.some((element) => element?.type === 'StringLiteral' && element.value === reporter)
  if (has) return undefined
  return placeInList(text, own.value, write.text(reporter)) ?? 'its reporters are not written as a list'
}

/** Members of one object are placed together, in their order. */
const toInsertions = (text: string, edits: readonly Exclude<Edit, string>[]): Insertion[] => {
  const added = edits.filter((edit) => edit !== undefined && 'object' in edit)
  const groups = Map.groupBy(added, ({ object }) => object)
  return [
    ...edits.filter((edit) => edit !== undefined && 'at' in edit),
    ...[...groups].map(([object, members]) =>
      placeFirst(
        text,
        object,
        members.map(({ member }) => member),
      ),
    ),
  ]
}
