import { createStyle } from '@retake/report'
import { main } from '../../packages/cli/src/main.ts'

/** What a command shows in a terminal in which `keys` are pressed one after the other. */
export const runCommand = async (cwd: string, argv: string[], width: number, keys?: string[]): Promise<string> => {
  let output = ''
  const write = (text: string): void => {
    output += text
  }
  const style = createStyle({ colors: true, legend: 'git' })
  const pressed = [...(keys ?? [])]
  await main(argv, {
    cwd,
    style,
    warnStyle: createStyle({ colors: true }),
    width: Math.max(40, Math.min(100, width)),
    height: 40,
    write,
    print: (text) => write(`${text}\n`),
    warn: (text) => write(`${text}\n`),
    ...(keys && { openKeys: () => ({ next: async () => pressed.shift() ?? 'q', close: () => {} }) }),
  })
  return output.trimEnd()
}
