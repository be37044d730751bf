import { stripVTControlCharacters } from 'node:util'

/** Makes the output of a run comparable: no colours, and placeholders for folders, times and ports. */
export const normalizeOutput = (text: string, places: Record<string, string> = {}, colors = false): string => {
  let plain = (colors ? text : stripVTControlCharacters(text)).replaceAll('\r\n', '\n')
  for (const [placeholder, path] of Object.entries(places)) plain = plain.replaceAll(path, placeholder)
  return plain
    .replaceAll(/^( *Duration ) .*$/gm, '$1 <time>')
    .replaceAll(/^( *Start at ) .*$/gm, '$1 <time>')
    .replaceAll(/(?<![\w.])\d+(\.\d+)?m?s\b/g, '<time>')
    .replaceAll(/\b(127\.0\.0\.1|localhost):\d+/g, '$1:<port>')
    .replaceAll(/[ \t]+$/gm, '')
}
