import { describe, expect, test } from 'vitest'
import { editConfig, newConfig } from './edit-config.ts'

const edited = (text: string): string => {
  const edit = editConfig(text)
  if (edit.kind !== 'edited') throw new TypeError(`${edit.kind}: ${'reason' in edit ? edit.reason : ''}`)
  // Whatever the shape: doing it again does nothing.
  expect(editConfig(edit.text)).toEqual({ kind: 'present' })
  return edit.text
}

describe('the plugin is added to', () => {
  test.each([
    ['an empty defineConfig', 'defineConfig({})', 'defineConfig({ plugins: [retake()] })'],
    ['one with members', 'defineConfig({ test: {} })', 'defineConfig({ plugins: [retake()], test: {} })'],
    [
      'members on lines of their own',
      'defineConfig({\n  // how we test\n  test: {},\n})',
      'defineConfig({\n  plugins: [retake()],\n  // how we test\n  test: {},\n})',
    ],
    ['an empty list', 'defineConfig({ plugins: [] })', 'defineConfig({ plugins: [retake()] })'],
    ['a list', "defineConfig({ 'plugins': [react()] })", "defineConfig({ 'plugins': [react(), retake()] })"],
    [
      'a list on lines of its own',
      'defineConfig({\n\tplugins: [\n\t\treact(),\n\t\t...more, // ours\n\t],\n})',
      'defineConfig({\n\tplugins: [\n\t\treact(),\n\t\t...more,\n\t\tretake(), // ours\n\t],\n})',
    ],
    ['a list beside a spread', '{ ...base, plugins: [a] }', '{ ...base, plugins: [a, retake()] }'],
    ['a plain object', '{ test: {} }', '{ plugins: [retake()], test: {} }'],
    [
      'the second of mergeConfig',
      'mergeConfig(viteConfig, defineConfig({ test: {} }))',
      'mergeConfig(viteConfig, defineConfig({ plugins: [retake()], test: {} }))',
    ],
    [
      'a function',
      'defineConfig(({ mode }) => ({ test: {} }))',
      'defineConfig(({ mode }) => ({ plugins: [retake()], test: {} }))',
    ],
    [
      'a function with a body',
      'defineConfig(async () => {\n  const x = await y()\n  return { test: { x } }\n})',
      'defineConfig(async () => {\n  const x = await y()\n  return { plugins: [retake()], test: { x } }\n})',
    ],
    [
      'an object of a type',
      '{ test: {} } satisfies ViteUserConfig',
      '{ plugins: [retake()], test: {} } satisfies ViteUserConfig',
    ],
  ])('%s', (_, before, after) => {
    const head = "import { defineConfig } from 'vitest/config'\n"
    const line = "import { retake } from 'retake/vitest'\n"
    expect(edited(`${head}\nexport default ${before}\n`)).toBe(`${head}${line}\nexport default ${after}\n`)
  })

  test('a constant that is exported', () => {
    expect(edited('const config = { test: {} }\nexport default config\n')).toBe(
      "import { retake } from 'retake/vitest'\n\nconst config = { plugins: [retake()], test: {} }\nexport default config\n",
    )
  })

  test('a file in its own style', () => {
    expect(
      edited(
        'import x from "x";\r\nexport default x({});\r\nexport default {};'.replace('export default x({});\r\n', ''),
      ),
    ).toBe('import x from "x";\r\nimport { retake } from "retake/vitest";\r\nexport default { plugins: [retake()] };')
  })

  test('a file without imports: behind what belongs to the file, before what belongs to the export', () => {
    expect(edited("/// <reference types='vitest' />\n/** @type {Config} */\nexport default {}\n")).toBe(
      "/// <reference types='vitest' />\nimport { retake } from 'retake/vitest'\n\n/** @type {Config} */\nexport default { plugins: [retake()] }\n",
    )
  })
})

test('the config of a project without one needs no change', () => {
  expect(editConfig(newConfig)).toEqual({ kind: 'present' })
})

test.each([
  ['what is no JavaScript', 'export default {', 'it cannot be parsed'],
  ['plugins of a function', 'export default { plugins: plugins() }', 'its plugins are not written as a list'],
  ['plugins of a variable', 'export default { plugins }', 'its plugins are not written as a list'],
  ['a hole in the list', 'export default { plugins: [a,,] }', 'its plugins are not written as a list'],
  ['a spread that may bring plugins', 'export default { ...base }', 'its plugins are not written as a list'],
  ['a function of the project', 'export default makeConfig({})', 'its exported object was not found'],
  ['one of two objects', 'export default () => { if (x) return {}; return {} }', 'its exported object was not found'],
  [
    'a variable that changes',
    'let config = {}; config = other; export default config',
    'its exported object was not found',
  ],
  ['CommonJS', 'module.exports = {}', 'its exported object was not found'],
  ['a name that is taken', 'const retake = 1; export default {}', 'it has another `retake`'],
])('%s is left to the user', (_, text, reason) => {
  expect(editConfig(text)).toEqual({ kind: 'by hand', reason })
})
