import { CassetteCorruptError, CassetteVersionError } from '@retake/trace'
import { parseTokens, TokenFault } from '../json/parse-tokens.ts'
import { isTokenObject, NumberToken, type TokenObject } from '../json/tokens.ts'
import { type BackspinLine, type BackspinRun, backspinSchema } from './run-file.ts'

/**
 * The run in the text of a `.backspin.jsonl` file. Unknown kinds and members are kept. A last line that the writer did not
 * finish is reported in `truncated`; everything else that is no JSON is an error.
 * @param path name of the file, for messages
 * @throws CassetteCorruptError with the line, CassetteVersionError for a schema that is not 1
 */
export function parseBackspin(text: string, path = 'the run'): BackspinRun {
  const lines = text.split('\n')
  const events: BackspinLine[] = []
  let header: BackspinLine | undefined
  for (const [at, raw] of lines.entries()) {
    if (raw.trim() === '') continue
    const line = at + 1
    const members = readLine(raw, `${path}:${line}`, header !== undefined && line === lines.length)
    if (members === undefined) return { header: header as BackspinLine, events, truncated: { line, raw } }
    if (header) events.push({ members, raw })
    else header = { members: readHeader(members, path), raw }
  }
  if (!header) throw corrupt('the file is empty', path)
  return { header, events }
}

/** Undefined for the last line, if it is not finished: without a line feed, and no JSON. */
function readLine(raw: string, where: string, mayBeCut: boolean): TokenObject | undefined {
  try {
    const value = parseTokens(raw, { nonFinite: true })
    if (isTokenObject(value) && typeof value.get('kind') === 'string') return value
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    if (mayBeCut && error.at > 0) return undefined
    throw corrupt(error.message, `${where}:${error.at + 1}`)
  }
  throw corrupt('a line is no object with a kind', where)
}

function readHeader(members: TokenObject, path: string): TokenObject {
  if (members.get('kind') !== 'header') throw corrupt('the first line is no header', path)
  const schema = members.get('schema')
  if (schema instanceof NumberToken && schema.value === backspinSchema) return members
  throw new CassetteVersionError(`the backspin run has a schema that retake does not read (it reads 1)\n  ${path}`, {
    path,
    version: schema instanceof NumberToken ? schema.value : null,
  })
}

const corrupt = (reason: string, where: string) =>
  new CassetteCorruptError(`the backspin run is broken: ${reason}\n  ${where}`, { where })
