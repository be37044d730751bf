import { glob, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { createProject, type Project } from '../../test/support/run-project.ts'

const example = resolve(import.meta.dirname, '../../examples/refund-agent-vitest')

/** The files of examples/refund-agent-vitest by their path with slashes. Without `cassettes` it was never recorded. */
const readExample = async (options: { cassettes: boolean }): Promise<Record<string, string>> => {
  const files: Record<string, string> = {}
  const exclude = ({ name }: { name: string }) =>
    name === 'node_modules' || (name === '__cassettes__' && !options.cassettes)
  for await (const entry of glob('**/*', { cwd: example, withFileTypes: true, exclude })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files[relative(example, path).replaceAll(sep, '/')] = await readFile(path, 'utf8')
  }
  return files
}

/** A copy of the example in a folder that git ignores. */
export const copyExample = async (options: { cassettes: boolean }): Promise<Project> =>
  createProject(await readExample(options))
