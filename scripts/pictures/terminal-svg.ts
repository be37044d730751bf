import { takeWidth, textWidth } from '../../packages/report/src/terminal/text-width.ts'

interface Theme {
  background: string
  foreground: string
  /** By the number that SGR gives them. */
  colors: Record<number, string>
}

const dark: Theme = {
  background: '#1d2021',
  foreground: '#d7d7d7',
  colors: {
    30: '#1d2021',
    31: '#f2777a',
    32: '#8ec07c',
    33: '#e5c07b',
    34: '#83a6d8',
    35: '#c594c5',
    36: '#7fc7c7',
    37: '#d7d7d7',
    90: '#8a8a8a',
  },
}
const light: Theme = {
  background: '#ffffff',
  foreground: '#24292f',
  colors: {
    30: '#24292f',
    31: '#b3261e',
    32: '#1a7f37',
    33: '#8a6100',
    34: '#0550ae',
    35: '#8250df',
    36: '#106d75',
    37: '#6e7781',
    90: '#6e7781',
  },
}

export interface TerminalPicture {
  /** ['dark'] */
  theme?: 'dark' | 'light'
  /** Lines go on below where the terminal ends. [as wide as the longest line] */
  columns?: number
}

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
const change = (code: number, { colors }: Theme): Look => {
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
export const toTerminalSvg = (output: string, title: string, options: TerminalPicture = {}): string => {
  const theme = options.theme === 'light' ? light : dark
  const lines = toLines(output, theme, options.columns)
  const columns = options.columns ?? Math.max(...lines.map(({ length }) => length))
  const width = Math.ceil(columns * column + 2 * margin)
  const height = lines.length * row + 2 * margin
  const rows = lines.map(({ spans }, n) => `<g transform="translate(0 ${n * row})">${spans.join('')}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${theme.background}"/>
<g transform="translate(${margin} ${margin + row - 5})" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${theme.foreground}">
${rows.join('\n')}
</g>
</svg>
`
}

interface Line {
  spans: string[]
  length: number
}

const toLines = (output: string, theme: Theme, columns = Number.POSITIVE_INFINITY): Line[] => {
  let look: Look = {}
  return output.split('\n').flatMap((text) => {
    const lines: Line[] = [{ spans: [], length: 0 }]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    for (const part of text.split(/(\u001b\[[\d;]*m)/)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1]
      if (codes !== undefined) for (const code of codes.split(';')) look = { ...look, ...change(Number(code), theme) }
      else addText(lines, part, look, columns)
    }
    return lines
  })
}

const addText = (lines: Line[], text: string, look: Look, columns: number): void => {
  for (let rest = text; rest !== ''; ) {
    const line = lines.at(-1) as Line
    const fitting = takeWidth(rest, columns - line.length)
    if (fitting === '') {
      lines.push({ spans: [], length: 0 })
      continue
    }
    line.spans.push(renderSpan(fitting, line.length, look))
    line.length += textWidth(fitting)
    rest = rest.slice(fitting.length)
  }
}

const renderSpan = (text: string, at: number, { color, fill, bold, dim, underline }: Look): string => {
  const x = (at * column).toFixed(1)
  const length = (textWidth(text) * column).toFixed(1)
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
