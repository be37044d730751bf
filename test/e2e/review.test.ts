import { appendFile, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../../packages/cli/test/run-main.ts'
import { createDemoRepository, type DemoRepository } from '../support/demo-repository.ts'
import { type Presses, runInTerminal } from '../support/pseudo-terminal.ts'

let repository: DemoRepository
beforeAll(async () => {
  repository = await createDemoRepository()
  repository.git('checkout', '-q', 'main')
  const results = await repository.record('after', { review: true })
  expect(results.map(({ kind }) => kind)).toEqual(['waiting', 'waiting', 'waiting'])
})
afterAll(() => repository[Symbol.asyncDispose]())

/** A copy of the repository with its three takes. */
const copy = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'retake-review-'))
  await cp(repository.folder, folder, { recursive: true })
  const at = join(folder, 'test/__cassettes__/refund.test.ts')
  const cassettes = async () => {
    const texts: Record<string, string> = {}
    for (const name of (await readdir(at)).sort())
      texts[name.replace(/\.[0-9a-f]{16}\./, '.')] = await readFile(join(at, name), 'utf8')
    return texts
  }
  return {
    folder,
    at,
    cassettes,
    press: (presses: Presses, ...args: string[]) => runInTerminal(folder, ['review', ...args], presses),
    run: (...argv: string[]) => runMain(folder, argv),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const late = 'refunds-a-late-order'
const fresh = 'refuses-a-fresh-order'
const hours = 'tells-the-hours'
const path = (name: string) => `test/__cassettes__/refund.test.ts/${name}.cassette.json`

test('keys accept, reject and skip one change after the other', async () => {
  await using project = await copy()
  const before = await project.cassettes()
  const { screen, exitCode } = await project.press([
    ['Review 1/3  refund agent › refunds a late order', 'a'],
    ['Review 2/3  refund agent › refuses a fresh order', 'r'],
    ['Review 3/3  refund agent › tells the hours', 's'],
  ])
  expect(exitCode).toBe(1)
  expect(screen).toContain('1 accepted, 1 rejected, 1 skipped: it waits')
  expect(screen).toMatch(/- assistant {2}→ refund \{"amount":20\}\n {2}\+ assistant {2}→ refund \{"amount":18.5\}/)
  const after = await project.cassettes()
  expect(after).toEqual({
    [`${late}.cassette.json`]: before[`${late}.take.json`],
    [`${fresh}.cassette.json`]: before[`${fresh}.cassette.json`],
    [`${hours}.cassette.json`]: before[`${hours}.cassette.json`],
    [`${hours}.take.json`]: before[`${hours}.take.json`],
  })
})

test('g accepts one cause wherever it is the only change, and nothing else', async () => {
  await using project = await copy()
  const before = await project.cassettes()
  const { screen, exitCode } = await project.press([
    ['accept this cause in 1 take where nothing else changed', 'g'],
    [`accepted  ${path(hours)}`, 'a'],
    ['Review 2/3', 'r'],
  ])
  expect([exitCode, screen]).toEqual([0, expect.stringContaining('2 accepted, 1 rejected, 0 skipped')])
  expect(screen).not.toContain('Review 3/3')
  expect((await project.cassettes())[`${hours}.cassette.json`]).toBe(before[`${hours}.take.json`])
})

test('f shows whole texts, other keys do nothing, and quitting leaves the rest', async () => {
  await using project = await copy()
  const before = await project.cassettes()
  const { screen, exitCode } = await project.press([
    ['Review 1/3', 'x\u001b[Af'],
    ['f short', 'q'],
  ])
  expect([exitCode, screen]).toEqual([1, expect.stringContaining('0 accepted, 0 rejected, 3 skipped: they wait')])
  expect(await project.cassettes()).toEqual(before)
  const broken = await project.press([['Review 1/3', '\u0003']])
  expect(broken.exitCode).toBe(1)
  expect(await project.cassettes()).toEqual(before)
})

test('a take whose cassette is gone is told as new, can be rejected only', async () => {
  await using project = await copy()
  await rm(join(project.at, `${late}.cassette.json`))
  for (const argv of [['review'], ['report', '--takes']]) {
    const { out } = await project.run(...argv)
    expect(out).toContain('+ refund agent › refunds a late order')
    expect(out).not.toContain('could not be read before')
  }
  const { out } = await project.run('review')
  expect(out).toContain(`cannot be accepted  ${path(late)}  (its cassette is gone)`)
  expect(out).not.toContain(`retake accept ${path(late)}`)
  expect((await project.run('accept', path(late))).err).toContain('cannot be accepted: its cassette is gone')
  expect(await project.run('reject', path(late))).toMatchObject({ code: 0 })
})

test('a take of an older cassette is refused everywhere, and loses nothing', async () => {
  await using project = await copy()
  await appendFile(join(project.at, `${late}.cassette.json`), '\n')
  const before = await project.cassettes()
  const { screen, exitCode } = await project.press([
    ['cannot be accepted: it was made from an older cassette', 'a'],
    ['  cannot be accepted', 's'],
    ['Review 2/3', 'q'],
  ])
  expect(exitCode).toBe(1)
  expect(screen.split('Review 2/3')[0]).not.toContain('a accept')
  const { code, err } = await project.run('accept', path(late))
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('it was made from an older cassette\n  Record again, or retake reject '),
  ])
  expect(await project.cassettes()).toEqual(before)
  expect((await project.run('reject', path(late))).code).toBe(0)
})

test('without a terminal what waits is listed, and settled by name', async () => {
  await using project = await copy()
  const { code, out } = await project.run('review')
  expect(code).toBe(1)
  expect(out).toContain('retake: the agent acts differently in 2 of 3 conversations  cassettes → takes')
  expect(out).toContain('3 takes wait')
  expect(out).toContain(`npx retake accept ${path(late)}`)
  const { waiting } = JSON.parse((await project.run('review', '--json')).out)
  expect(waiting).toHaveLength(3)

  expect(await project.run('accept', path(late))).toMatchObject({ code: 0, out: `accepted  ${path(late)}\n` })
  expect(await project.run('reject', 'test')).toMatchObject({
    code: 0,
    out: `rejected  ${path(fresh)}\nrejected  ${path(hours)}\n`,
  })
  expect(await project.run('review')).toMatchObject({ code: 0, out: 'no take waits\n' })
  expect((await project.run('accept', path(late))).code).toBe(2)
  expect((await project.run('accept')).code).toBe(2)
})

test('--since reviews what the working tree changed', async () => {
  await using project = await copy()
  const before = await project.cassettes()
  expect((await project.run('accept', '.')).code).toBe(0)
  const { screen, exitCode } = await project.press(
    [
      ['Review 1/3', 'a'],
      ['Review 2/3', 'r'],
      ['Review 3/3', 'a'],
    ],
    '--since',
    'HEAD',
  )
  expect([exitCode, screen]).toEqual([0, expect.stringContaining('the cassette of HEAD is put back')])
  const after = await project.cassettes()
  expect(after[`${late}.cassette.json`]).toBe(before[`${late}.take.json`])
  expect(after[`${fresh}.cassette.json`]).toBe(before[`${fresh}.cassette.json`])
  expect((await project.run('review', '--since', 'HEAD')).code).toBe(1)
  expect((await project.run('review', '--since', 'shipping')).code).toBe(1)
})

test('a recording that says what the cassette says leaves no take', async () => {
  await using fresh = await createDemoRepository()
  fresh.git('checkout', '-q', 'main')
  await fresh.record('after', { review: true })
  expect((await runMain(fresh.folder, ['review'])).code).toBe(1)
  const results = await fresh.record('before', { review: true })
  expect(results.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect(await runMain(fresh.folder, ['review'])).toMatchObject({ code: 0, out: 'no take waits\n' })
  // What waits is not replayed.
  await fresh.record('after', { review: true })
  expect(fresh.git('status', '--porcelain')).toBe('')
})
