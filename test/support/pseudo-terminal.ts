import { spawn } from '@lydell/node-pty'

export interface TerminalRun {
  /** Everything that was shown, without colours. */
  screen: string
  /** The same, as the terminal got it. */
  output: string
  exitCode: number
}

/** A text to wait for, and the keys that are pressed when it is shown. */
export type Presses = readonly (readonly [shown: string | RegExp, keys: string])[]

/** Runs the `retake` command on its sources in a terminal of 100 columns, and presses keys at what it shows. */
export const runInTerminal = async (
  cwd: string,
  args: string[],
  presses: Presses,
  env: Record<string, string> = {},
): Promise<TerminalRun> => {
  const bin = `const { main } = await import(${JSON.stringify(new URL('../../packages/cli/src/index.ts', import.meta.url).href)})
process.exitCode = await main(process.argv.slice(1))`
  const { PATH = '', HOME = '' } = process.env
  const terminal = spawn(process.execPath, ['--input-type=module', '-e', bin, ...args], {
    cwd,
    cols: 100,
    rows: 40,
    env: { PATH, HOME, TERM: 'xterm-256color', ...env },
  })
  let output = ''
  let screen = ''
  let from = 0
  const left = [...presses]
  return await new Promise((resolve) => {
    terminal.onData((data) => {
      output += data
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
      screen += data.replace(/\u001b\[[\d;]*m/g, '')
      for (let next = left[0]; next; next = left[0]) {
        const [shown, keys] = next
        const rest = screen.slice(from)
        const at = typeof shown === 'string' ? rest.indexOf(shown) : rest.search(shown)
        if (at < 0) break
        from = screen.length
        left.shift()
        terminal.write(keys)
      }
    })
    terminal.onExit(({ exitCode }) => resolve({ screen: screen.replaceAll('\r\n', '\n'), output, exitCode }))
  })
}
