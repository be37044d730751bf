import { jestConfigs } from '../find-runner.ts'
import { type ConfigSyntax, editJestConfig, jestLinesByHand, newJestConfig } from './edit-jest-config.ts'
import type { Project } from './project.ts'
import type { Step } from './step.ts'

/** The environment and the reporter in the Jest config, which may be a part of package.json. */
export const planJestConfig = ({ read, manifest, dependsOn }: Project): Step => {
  const title = 'the environment and the reporter'
  const named = jestConfigs.find((candidate) => read(candidate) !== undefined)
  const file = named ?? (manifest.jest === undefined ? undefined : 'package.json')
  if (file === undefined) {
    const after = newJestConfig({ isModule: manifest.type === 'module', hasTsJest: dependsOn('ts-jest') })
    return { kind: 'change', title, file: 'jest.config.js', before: undefined, after }
  }
  const before = read(file) ?? ''
  const edit = editJestConfig(before, syntaxOf(file))
  if (edit.kind === 'present') return { kind: 'done', title, file }
  if (edit.kind === 'by hand') return { kind: 'by hand', title, file, reason: edit.reason, lines: jestLinesByHand }
  return { kind: 'change', title, file, before, after: edit.text }
}

const syntaxOf = (file: string): ConfigSyntax =>
  file === 'package.json' ? 'package.json' : file.endsWith('.json') ? 'json' : 'code'
