/** Makes the pictures of docs/pull-requests.md from a repository with two branches; part of `npm run pictures`. */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMain } from '../packages/cli/test/run-main.ts'
import { createDemoRepository } from '../test/support/demo-repository.ts'
import { runInTerminal } from '../test/support/pseudo-terminal.ts'
import { toCommentPage } from './pictures/comment-page.ts'
import { photograph } from './pictures/photograph.ts'
import { toTerminalSvg } from './pictures/terminal-svg.ts'

const folder = join(import.meta.dirname, '../docs/pictures')

await using repository = await createDemoRepository()
const comment = await runMain(repository.folder, ['report', 'main...HEAD', '--markdown'])
const page = join(tmpdir(), `retake-comment-${process.pid}.html`)
await writeFile(page, toCommentPage(comment.out))
await photograph(page, join(folder, 'pull-request.png'))
await rm(page)

repository.git('checkout', '-q', 'main')
await repository.record('after', { review: true })
const { output } = await runInTerminal(repository.folder, ['review'], [['Review 1/3', 'q']])
const end = output.indexOf('what is left waits')
const line = output.indexOf('\n', end)
await writeFile(
  join(folder, 'review.svg'),
  toTerminalSvg(output.slice(0, line).replaceAll('\r', '').trim(), 'One take of three in retake review'),
)
