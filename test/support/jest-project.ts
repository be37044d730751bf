import { jestProjects } from './built-package.ts'
import { withEchoModel } from './echo-project.ts'
import type { ModelProject } from './model-project.ts'
import { createProjectIn, type Project, type RunOptions } from './run-project.ts'

export interface JestKind {
  jest: 29 | 30
  /** What its tests and modules are. [cjs] */
  format?: 'cjs' | 'esm'
}

const allKinds: JestKind[] = [
  { jest: 29, format: 'cjs' },
  { jest: 29, format: 'esm' },
  { jest: 30, format: 'cjs' },
  { jest: 30, format: 'esm' },
]

/** Of every kind with `npm run test:jest`; else only these, since each run of Jest takes seconds. */
export const kindsOr = (...few: JestKind[]): JestKind[] => (process.env.EVERY_JEST ? allKinds : few)

/**
 * Writes a project beside the Jest of this version, with `retake` as it is published. Its command is that Jest; a config
 * is written where the files have none.
 */
export const createJestProject = async (
  { jest, format = 'cjs' }: JestKind,
  files: Record<string, string>,
): Promise<Project> => {
  const manifest = { name: 'project-under-test', private: true, type: format === 'esm' ? 'module' : 'commonjs' }
  const hasConfig = Object.keys(files).some((name) => name.startsWith('jest.config.'))
  const defaults = { 'package.json': JSON.stringify(manifest), ...(!hasConfig && { 'jest.config.json': jestConfig }) }
  const project = await createProjectIn(jestProjects(jest), { ...defaults, ...files })
  const esm: Record<string, string> =
    format === 'esm' ? { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' } : {}
  return {
    ...project,
    run: ({ command = ['jest'], env, ...options }: RunOptions = {}) => {
      const [program = '', ...args] = command
      return project.run({
        ...options,
        command: [program === 'jest' ? `jest${jest}` : program, ...args],
        env: { ...esm, ...env },
      })
    },
  }
}

const jestConfig = JSON.stringify({
  testEnvironment: 'retake/jest/node',
  reporters: ['default', 'retake/jest/reporter'],
  transform: {},
})

/** A module that asks the model, in both forms. */
export const jestAgent = {
  cjs: {
    'agent.js': `const OpenAI = require('openai')
// Made while the module loads, as most applications do.
const client = new OpenAI({ baseURL: process.env.MODEL_URL })
exports.ask = async (content) => {
  const reply = await client.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content }] })
  return reply.choices[0]?.message.content ?? ''
}
`,
  },
  esm: {
    'agent.js': `import OpenAI from 'openai'
const client = new OpenAI({ baseURL: process.env.MODEL_URL })
export const ask = async (content) => {
  const reply = await client.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content }] })
  return reply.choices[0]?.message.content ?? ''
}
`,
  },
}

/** Like `createEchoProject`, for Jest. */
export const createJestEchoProject = async (kind: JestKind, files: Record<string, string>): Promise<ModelProject> =>
  await withEchoModel(await createJestProject(kind, { ...jestAgent[kind.format ?? 'cjs'], ...files }))
