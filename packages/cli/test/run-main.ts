import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStyle } from '@retake/report'
import { afterEach, beforeEach } from 'vitest'
import { main } from '../src/main.ts'

const corpus = new URL('../../../test/corpus/blackbox/', import.meta.url).pathname

/** What a command gave: exit code, and all it wrote. */
export interface Outcome {
  code: number
  out: string
  err: string
}

/** A folder with the public cassettes, new for each test of the file, and the command line running in it. */
export const inCorpusFolder = () => {
  let cwd = ''
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'retake-cli-'))
    for (const name of readdirSync(corpus).filter((file) => file.endsWith('.json'))) {
      cpSync(join(corpus, name), join(cwd, name))
    }
  })
  afterEach(() => rmSync(cwd, { recursive: true }))

  const at = (name: string): string => join(cwd, name)
  const read = (name: string): string => readFileSync(at(name), 'utf8')
  const write = (name: string, content: string | Uint8Array): void => writeFileSync(at(name), content)
  return {
    at,
    read,
    write,
    /** Replaces the first place of a text, which must be there. */
    edit(name: string, from: string, to: string): void {
      const text = read(name)
      if (!text.includes(from)) throw new TypeError(`${name} has no ${from}`)
      write(name, text.replace(from, to))
    },
    run: (...argv: string[]): Promise<Outcome> => runMain(cwd, argv),
    runAt: (width: number, ...argv: string[]): Promise<Outcome> => runMain(cwd, argv, width),
  }
}

/** Runs the command line in a folder. With `answers` it may ask, and gets them in turn; without it is no terminal. */
export const runMain = async (
  cwd: string,
  argv: string[],
  width = 100,
  answers?: (boolean | undefined)[],
): Promise<Outcome> => {
  const outcome = { code: -1, out: '', err: '' }
  const write = (text: string): void => {
    outcome.out += text
  }
  outcome.code = await main(argv, {
    cwd,
    style: createStyle({ legend: 'git' }),
    warnStyle: createStyle(),
    width,
    write,
    print: (text) => write(`${text}\n`),
    warn(text) {
      outcome.err += `${text}\n`
    },
    ...(answers && { confirm: async () => answers.shift() }),
  })
  return outcome
}
