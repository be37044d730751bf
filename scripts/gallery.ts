/**
 * A page with everything retake prints, as a terminal shows it: `npm run gallery -- FOLDER [width] [light]`. To look
 * at it is the only use of it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createStyle, renderFailure } from '@retake/report'
import type { RetakeError } from '@retake/trace'
import { playCommands, type Shown } from './gallery/command-cases.ts'
import { failureCases } from './gallery/failure-cases.ts'
import { playFailure } from './gallery/play-failure.ts'
import { playSummaries } from './gallery/summary-cases.ts'
import { photograph } from './pictures/photograph.ts'
import { toTerminalSvg } from './pictures/terminal-svg.ts'

const [target = '', widthText = '100', themeName] = process.argv.slice(2)
const theme = themeName === 'light' ? 'light' : 'dark'
const perPage = 8
const folder = resolve(target)
const width = Number(widthText)
const style = createStyle({ colors: true })

await mkdir(folder, { recursive: true })
const project = await mkdtemp(join(tmpdir(), 'retake-gallery-'))
process.chdir(project)

const failures: Shown[] = []
for (const failure of failureCases) failures.push({ name: failure.name, output: format(await playFailure(failure)) })
await showAll('failures', failures)
process.chdir(tmpdir())
await rm(project, { recursive: true })
await showAll('summaries', playSummaries())
await showAll('commands', await playCommands(width))

/** As Vitest prints an error. */
function format([error, ...others]: readonly RetakeError[]): string {
  if (!error) return '(passes)'
  const { message, difference } = renderFailure(error, others, { style, width })
  return [style.bad(`${style.title(error.name)}: ${message}`), ...(difference ? ['', difference] : [])].join('\n')
}

async function showAll(title: string, shown: readonly Shown[]): Promise<void> {
  const pictures = shown.map(
    ({ name, output }) => `<h3>${escapeHtml(name)}</h3>${toTerminalSvg(output, name, { columns: width, theme })}`,
  )
  for (let at = 0; at < pictures.length; at += perPage) {
    const page = join(folder, `${title}-${width}-${theme}-${at / perPage}.html`)
    await writeFile(page, toPage(pictures.slice(at, at + perPage).join('\n')))
    await photograph(page, page.replace(/html$/, 'png'), { width: width * 8.43 + 60, scale: 1 })
  }
}

function toPage(body: string): string {
  return `<!doctype html><meta charset="utf-8"><title></title><style>
h3 { font: 14px sans-serif; margin: 12px 0 4px } svg { display: block } body { background: ${theme === 'dark' ? '#777' : '#ddd'} }
</style>${body}<script>document.title = String(document.documentElement.offsetHeight + 20)</script>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
