import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../../test/corpus/blackbox/', import.meta.url)

export interface CorpusFile {
  name: string
  path: string
  text: string
}

/** The public v2 cassettes. */
export const corpus: CorpusFile[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const path = fileURLToPath(new URL(name, folder))
    return { name, path, text: readFileSync(path, 'utf8') }
  })

export function corpusText(name: string): string {
  const file = corpus.find((candidate) => candidate.name === name)
  if (file === undefined) throw new Error(`there is no ${name}`)
  return file.text
}
