import { HtmlRenderer, Parser } from 'commonmark'

/** A page that shows a comment as GitHub does, its first conversation unfolded. */
export const toCommentPage = (markdown: string): string => {
  const blocks = markdown.split(/\n\n(?=\|)|(?<=\|)\n\n/)
  const body = blocks.map((block) => (block.startsWith('|') ? toTable(block) : toHtml(block))).join('\n')
  return `<!doctype html><meta charset="utf-8"><title></title><style>${css}</style>
<article>${paintDiffs(body).replace('<details>', '<details open>')}</article>
<script>document.title = String(document.documentElement.offsetHeight)</script>`
}

const toHtml = (markdown: string): string => new HtmlRenderer().render(new Parser().parse(markdown))

/** Tables are an extension that the parser does not know. */
const toTable = (block: string): string => {
  const [head = '', , ...rows] = block.split('\n')
  const toRow = (line: string, tag: string): string =>
    `<tr>${line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => `<${tag}>${toHtml(cell.trim().replaceAll('\\|', '|')).replace(/^<p>|<\/p>\s*$/g, '')}</${tag}>`)
      .join('')}</tr>`
  return `<table><thead>${toRow(head, 'th')}</thead><tbody>${rows.map((row) => toRow(row, 'td')).join('')}</tbody></table>`
}

const paintDiffs = (html: string): string =>
  html.replace(/(<code class="language-diff">)(.*?)(<\/code>)/gs, (_, start: string, code: string, end: string) => {
    const lines = code.split('\n').map((line) => {
      const kind = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : undefined
      return kind ? `<${kind}>${line}</${kind}>` : line
    })
    return start + lines.join('\n') + end
  })

const css = `
body { margin: 0; background: #fff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif }
article { margin: 16px; padding: 8px 16px; border: 1px solid #d1d9e0; border-radius: 6px }
h3 { font-size: 1.25em; margin: 8px 0 16px }
table { border-collapse: collapse; margin-bottom: 16px }
th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; vertical-align: top }
th:first-child, td:first-child { text-align: center }
td:nth-child(n+4), th:nth-child(n+4) { text-align: right }
code { background: #eff1f3; border-radius: 6px; padding: 0.2em 0.4em; font: 85% ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; line-height: 1.45; overflow: hidden }
pre code { background: none; padding: 0; font-size: 12px }
ins { color: #116329; background: #dafbe1; text-decoration: none }
del { color: #82071e; background: #ffebe9; text-decoration: none }
details { margin-bottom: 8px }`
