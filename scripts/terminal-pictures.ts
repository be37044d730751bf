/** Makes the pictures in docs/pictures from what Vitest prints for each change of an agent: `npm run pictures`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Change, changes, createFailingProject } from '../test/support/failing-project.ts'
import { toTerminalSvg } from './pictures/terminal-svg.ts'

const folder = join(import.meta.dirname, '../docs/pictures')

const titles: Record<Change, string> = {
  prompt: 'A changed system prompt',
  'tool-schema': 'A changed schema of a tool',
  message: 'One message more',
  'tool-argument': 'A tool called with another argument than the model asked for',
  request: 'One request more than recorded',
  unused: 'A recorded request that was not made',
}

/** From the first failed test to the line below it. */
const excerpt = (output: string): string => {
  const lines = output.split('\n')
  const start = lines.findIndex((line) => line.includes(' FAIL '))
  const length = lines.slice(start).findIndex((line) => line.includes('⎯[1/1]⎯'))
  return lines
    .slice(start, start + length)
    .join('\n')
    .trimEnd()
}

await using project = await createFailingProject()
await mkdir(folder, { recursive: true })
await project.run()
for (const [name, args, title] of [
  ...changes.map((change) => [change, ['refund'], titles[change]] as const),
  ['folded', [], 'One cause that hits three tests'] as const,
]) {
  const env = { CHANGE: name === 'folded' ? 'prompt' : name }
  const { stderr } = await project.run({ command: ['vitest', 'run', ...args], env, colors: true })
  await writeFile(join(folder, `${name}.svg`), toTerminalSvg(excerpt(stderr), title))
}
