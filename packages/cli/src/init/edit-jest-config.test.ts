import { describe, expect, test } from 'vitest'
import { type ConfigSyntax, editJestConfig, newJestConfig } from './edit-jest-config.ts'

const edited = (text: string, syntax: ConfigSyntax = 'code'): string => {
  const edit = editJestConfig(text, syntax)
  if (edit.kind !== 'edited') throw new TypeError(`${edit.kind}: ${'reason' in edit ? edit.reason : ''}`)
  // Whatever the shape: doing it again does nothing.
  expect(editJestConfig(edit.text, syntax)).toEqual({ kind: 'present' })
  return edit.text
}
const members = "testEnvironment: 'retake/jest/node', reporters: ['default', 'retake/jest/reporter']"

describe('environment and reporter are added to', () => {
  test.each([
    ['CommonJS', 'module.exports = {}', `module.exports = { ${members} }`],
    ['a module', 'export default { rootDir: "." }', `export default { ${members}, rootDir: "." }`],
    [
      'a constant of a type',
      "import type { Config } from 'jest'\nconst config: Config = {\n  verbose: true,\n}\nexport default config\n",
      "import type { Config } from 'jest'\nconst config: Config = {\n  testEnvironment: 'retake/jest/node',\n  reporters: ['default', 'retake/jest/reporter'],\n  verbose: true,\n}\nexport default config\n",
    ],
    [
      'an environment of Jest',
      "module.exports = { testEnvironment: 'jsdom', reporters: ['default', 'github-actions'] }",
      "module.exports = { testEnvironment: 'retake/jest/jsdom', reporters: ['default', 'github-actions', 'retake/jest/reporter'] }",
    ],
    [
      'each project',
      "module.exports = { projects: [{ displayName: 'a' }, { testEnvironment: 'jest-environment-jsdom' }] }",
      "module.exports = { reporters: ['default', 'retake/jest/reporter'], projects: [{ testEnvironment: 'retake/jest/node', displayName: 'a' }, { testEnvironment: 'retake/jest/jsdom' }] }",
    ],
    [
      'what a function returns',
      'module.exports = async () => ({ verbose: true })',
      `module.exports = async () => ({ ${members}, verbose: true })`,
    ],
  ])('%s', (_, before, after) => {
    expect(edited(before)).toBe(after)
  })

  test('JSON, in its own style', () => {
    expect(edited('{\n\t"verbose": true\n}\n', 'json')).toBe(
      '{\n\t"testEnvironment": "retake/jest/node",\n\t"reporters": ["default", "retake/jest/reporter"],\n\t"verbose": true\n}\n',
    )
  })

  test('the member of a package.json', () => {
    expect(edited('{ "name": "shop", "jest": { "testEnvironment": "node" } }', 'package.json')).toBe(
      '{ "name": "shop", "jest": { "reporters": ["default", "retake/jest/reporter"], "testEnvironment": "retake/jest/node" } }',
    )
  })
})

test.each([false, true])('the config of a project without one needs no change', (isModule) => {
  expect(editJestConfig(newJestConfig({ isModule, hasTsJest: true }), 'code')).toEqual({ kind: 'present' })
})

test.each([
  ['what is no JavaScript', 'module.exports = {', 'it cannot be parsed'],
  [
    'an environment of the project',
    "module.exports = { testEnvironment: './mine.js' }",
    'it has an environment of its own',
  ],
  [
    'an environment that is computed',
    'module.exports = { testEnvironment: env }',
    'its environment is not written as a text',
  ],
  ['a spread', 'module.exports = { ...base }', 'a spread may bring an environment of its own'],
  ['projects in folders', "module.exports = { projects: ['packages/*'] }", 'its projects have configs of their own'],
  ['reporters of a variable', 'module.exports = { reporters }', 'its reporters are not written as a list'],
  ['a function of the project', 'module.exports = make({})', 'its exported object was not found'],
])('%s is left to the user', (_, text, reason) => {
  expect(editJestConfig(text, 'code')).toEqual({ kind: 'by hand', reason })
})
