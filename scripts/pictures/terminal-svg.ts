/** Colours of a dark terminal, by the number that SGR gives them. */
const colors: Record<number, string> = {
  30: '#1d2021',
  31: '#f2777a',
  32: '#8ec07c',
  33: '#e5c07b',
  34: '#83a6d8',
  35: '#c594c5',
  36: '#7fc7c7',
  37: '#d7d7d7',
  90: '#8a8a8a',
}
const background = '#1d2021'
const foreground = '#d7d7d7'
const column = 8.43
const row = 19
const margin = 16

interface Look {
  color?: string | undefined
  fill?: string | undefined
  bold?: boolean
  dim?: boolean
  underline?: boolean
}

/** What a code of SGR changes; those not listed change nothing. */
const change = (code: number): Look => {
  if (code === 0) return { color: undefined, fill: undefined, bold: false, dim: false, underline: false }
  if (code === 1) return { bold: true }
  if (code === 2) return { dim: true }
  if (code === 4) return { underline: true }
  if (code === 22) return { bold: false, dim: false }
  if (code === 24) return { underline: false }
  if (code === 39) return { color: undefined }
  if (code === 49) return { fill: undefined }
  if (code >= 40 && code <= 47) return { fill: colors[code - 10] }
  return colors[code] === undefined ? {} : { color: colors[code] }
}

/** A picture of what a terminal shows for this output: SVG, which text search and screen readers can read. */
export const toTerminalSvg = (output: string, title: string): string => {
  let look: Look = {}
  const lines = output.split('\n').map((line) => {
    const spans: string[] = []
    let at = 0
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1]
      if (codes !== undefined) for (const code of codes.split(';')) look = { ...look, ...change(Number(code)) }
      else if (part !== '') {
        spans.push(renderSpan(part, at, look))
        at += part.length
      }
    }
    return { spans, length: at }
  })
  const width = Math.ceil(Math.max(...lines.map(({ length }) => length)) * column + 2 * margin)
  const height = lines.length * row + 2 * margin
  const rows = lines.map(({ spans }, n) => `<g transform="translate(0 ${n * row})">${spans.join('')}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<g transform="translate(${margin} ${margin + row - 5})" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${foreground}">
${rows.join('\n')}
</g>
</svg>
`
}

const renderSpan = (text: string, at: number, { color, fill, bold, dim, underline }: Look): string => {
  const x = (at * column).toFixed(1)
  const length = (text.length * column).toFixed(1)
  const marks = [
    color ? ` fill="${color}"` : '',
    bold ? ' font-weight="bold"' : '',
    dim ? ' opacity="0.6"' : '',
    underline ? ' text-decoration="underline"' : '',
  ].join('')
  const behind = fill ? `<rect x="${x}" y="-14" width="${length}" height="${row}" fill="${fill}"/>` : ''
  return `${behind}<text x="${x}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${marks}>${escapeXml(text)}</text>`
}

const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // Viewers do not agree on how to keep white space.
    .replaceAll(' ', '\u00a0')
