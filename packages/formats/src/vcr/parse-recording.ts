import { CassetteCorruptError, readJson } from '@retake/trace'
import { LineCounter, parseDocument } from 'yaml'
import { recordingTags } from './yaml-tags.ts'

/** How often one anchor may stand, all that it holds counted; PyYAML writes equal lists of headers as one. */
const maxAliasCount = 10_000

/**
 * The value in the text of a recording: JSON, or YAML with binary scalars as bytes.
 * @throws CassetteCorruptError with the place, never with a piece of the text
 */
export function parseRecording(text: string, path?: string): unknown {
  if (/^\s*[{[]/.test(text)) return readJson(text, path)
  const lines = new LineCounter()
  const fault = (reason: string, offset = 0): CassetteCorruptError => {
    const { line, col } = lines.linePos(offset)
    const place = path === undefined ? `line ${line}, column ${col}` : `${path}:${line}:${col}`
    return new CassetteCorruptError(`the recording is broken: ${reason}\n  ${place}`, {
      ...(path !== undefined && { path }),
      line,
      column: col,
    })
  }
  const document = parseDocument(text, {
    schema: 'failsafe',
    customTags: [...recordingTags],
    version: '1.1',
    prettyErrors: false,
    lineCounter: lines,
  })
  const [error] = document.errors
  if (error) throw fault(`it is no YAML (${error.code})`, error.pos[0])
  try {
    return document.toJS({ maxAliasCount })
  } catch {
    // An alias without its anchor, or aliases of aliases of aliases.
    throw fault('its aliases cannot be resolved')
  }
}
