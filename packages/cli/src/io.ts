import { emitKeypressEvents, type Key } from 'node:readline'
import { createStyle, type Style } from '@retake/report'

/** Where a command reads its surroundings and puts its output. */
export interface Io {
  /** Folder that relative paths start from. */
  cwd: string
  /** Colours of standard output. */
  style: Style
  /** Of standard error, which tells of runs. */
  warnStyle: Style
  /** Columns of standard output, 100 at most. */
  width: number
  /** Lines of the terminal; absent where there is none. */
  height?: number
  /** Writes to standard output what is no text for people, to the letter. */
  write(text: string): void
  /** Writes lines to standard output, and to standard error. */
  print(text: string): void
  warn(text: string): void
  /** Asks yes or no; undefined is the answer to stop. Absent where there is nobody to ask. */
  confirm?(question: string): Promise<boolean | undefined>
  /** Takes keys as they are pressed. Absent where there is nobody to press them. */
  openKeys?(): Keys
}

/** Keys of a terminal, one after the other, until it is closed. */
export interface Keys {
  /** `a`, `escape`, `ctrl-c`; `ctrl-c` also where the terminal went away. */
  next(): Promise<string>
  close(): void
}

const widest = 100
const narrowest = 40

/** The surroundings of this process. Colours only in a terminal, and neither with `NO_COLOR` nor under CI. */
export const createProcessIo = (): Io => {
  const { stdin, stdout, stderr, env } = process
  // Who reads us may stop early (`retake diff a b | head`): then there is nobody left to tell.
  for (const stream of [stdout, stderr]) if (stream.listenerCount('error') === 0) stream.on('error', ignoreBrokenPipe)
  const mayColor = !isSet(env.NO_COLOR) && !isOn(env.CI) && env.TERM !== 'dumb'
  return {
    cwd: process.cwd(),
    style: createStyle({ colors: stdout.isTTY === true && mayColor, legend: 'git' }),
    warnStyle: createStyle({ colors: stderr.isTTY === true && mayColor }),
    // Asked for anew each time: a terminal may change its size while a review waits for a key.
    get width() {
      return Math.max(narrowest, Math.min(widest, stdout.columns ?? widest))
    },
    write: (text) => void stdout.write(text),
    print: (text) => void stdout.write(`${text}\n`),
    warn: (text) => void stderr.write(`${text}\n`),
    ...(stdout.rows > 0 && { height: stdout.rows }),
    ...(stdin.isTTY === true && stdout.isTTY === true && !isOn(env.CI) && { confirm: askInTerminal, openKeys }),
  }
}

const askInTerminal = async (message: string): Promise<boolean | undefined> => {
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message })
  return isCancel(answer) ? undefined : answer
}

/** All keys from now on, so that none is lost that is pressed early. */
const openKeys = (): Keys => {
  const { stdin } = process
  const pressed: string[] = []
  let waiting: ((key: string) => void) | undefined
  const give = (key: string): void => {
    if (waiting) waiting(key)
    else pressed.push(key)
    waiting = undefined
  }
  const take = (text: string | undefined, { name, ctrl }: Key): void =>
    give(ctrl ? `ctrl-${name}` : (name ?? text ?? ''))
  const end = (): void => give('ctrl-c')
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', take).on('end', end).resume()
  return {
    next: async () =>
      pressed.shift() ??
      (await new Promise<string>((resolve) => {
        waiting = resolve
      })),
    close() {
      stdin.off('keypress', take).off('end', end).pause()
      stdin.setRawMode(false)
    },
  }
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

const isOn = (value: string | undefined): boolean => isSet(value) && value !== 'false' && value !== '0'

const ignoreBrokenPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
}
