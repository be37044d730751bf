import { glob, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { createJestProject } from '../../test/support/jest-project.ts'
import { createProject, type Project } from '../../test/support/run-project.ts'

export const examples = resolve(import.meta.dirname, '../../examples')

/** The examples whose tests Jest runs. */
export const jestExamples = ['openai-jest', 'anthropic-jest-typescript'] as const

/** The files of an example by their path with slashes. Without `cassettes` it was never recorded. */
const readExample = async (name: string, options: { cassettes: boolean }): Promise<Record<string, string>> => {
  const folder = join(examples, name)
  const files: Record<string, string> = {}
  const exclude = ({ name }: { name: string }) =>
    name === 'node_modules' || (name === '__cassettes__' && !options.cassettes)
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true, exclude })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files[relative(folder, path).replaceAll(sep, '/')] = await readFile(path, 'utf8')
  }
  return files
}

/** A copy of examples/refund-agent-vitest in a folder that git ignores. */
export const copyExample = async (options: { cassettes: boolean }): Promise<Project> =>
  createProject(await readExample('refund-agent-vitest', options))

/** A copy of an example for Jest, beside the Jest that runs it. */
export const copyJestExample = async (name: (typeof jestExamples)[number]): Promise<Project> =>
  await createJestProject({ jest: 30 }, await readExample(name, { cassettes: true }))
