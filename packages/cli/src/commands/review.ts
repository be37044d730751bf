import { escapeInvisible } from '@retake/compare'
import { renderChangeOverview, renderReviewScreen, toReportDocument } from '@retake/report'
import { isRetakeError } from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { formatDocument } from '../format-document.ts'
import type { Io, Keys } from '../io.ts'
import { formatCommand } from '../launch/format-command.ts'
import { findGroup } from '../review/review-group.ts'
import { type Review, type ReviewItem, reviewSince, reviewTakes } from '../review/review-item.ts'

export const review: Command = {
  name: 'review',
  args: '',
  summary: 'Accept or reject the takes that wait, one change after the other',
  flags: { json: 'Print one JSON document of what waits, and ask nothing' },
  options: { since: ['commit', 'Review what the working tree changed since a commit'] },
  details: [
    'A take is what a recording with `--update-cassettes=review`, or the option `review: true`, leaves beside a cassette.',
    'Without a terminal what waits is listed; `retake accept` and `retake reject` settle it.',
    'Exit code: 0 nothing waits, 1 something does, 2 it could not be judged.',
  ].join('\n'),

  async run({ args, flags, options }, io) {
    if (args.length > 0) throw new UsageError('review takes no files; retake accept and retake reject do')
    const since = options.get('since')
    const found = since === undefined ? reviewTakes(io.cwd) : reviewSince(since, io.cwd)
    if (flags.has('json')) io.print(formatDocument(toDocument(found)))
    else if (found.items.length === 0) io.print(`no ${found.noun} waits`)
    else if (io.openKeys) return await ask(found, io, io.openKeys())
    else printList(found, io)
    return found.items.length === 0 ? exitCode.yes : exitCode.no
  },
}

const toDocument = ({ report, items }: Review): object => ({
  ...toReportDocument(report),
  waiting: items.map(({ file, problem }) => ({ file, ...(problem !== undefined && { problem }) })),
})

const printList = ({ report, items, noun }: Review, io: Io): void => {
  io.print(renderChangeOverview(report, io))
  const blocked = items.filter(({ problem }) => problem !== undefined)
  if (blocked.length > 0) io.print('')
  for (const { file, problem = '' } of blocked) {
    io.print(`  ${io.style.bad('cannot be accepted')}  ${escapeInvisible(`${file}  (${problem})`)}`)
  }
  const waits = `${count(items.length, noun)} ${items.length === 1 ? 'waits' : 'wait'}`
  if (noun !== 'take') {
    io.print(`\n${waits}: retake review --since in a terminal`)
    return
  }
  const acceptable = items.find(({ problem }) => problem === undefined)
  const commands = [
    ...(acceptable ? [`accept ${toArgument(acceptable)}`] : []),
    ...(items[0] ? [`reject ${toArgument(acceptable ?? items[0])}`] : []),
  ]
  io.print([`\n${waits}: retake review in a terminal, or`, ...commands.map((one) => `  npx retake ${one}`)].join('\n'))
}

const toArgument = ({ file }: ReviewItem): string => escapeInvisible(formatCommand([file]))

type Decision = 'accepted' | 'rejected' | 'skipped'

/** Asks about one after the other; what was decided stays decided, also where it is broken off. */
const ask = async (found: Review, io: Io, keys: Keys): Promise<number> => {
  const decided = new Map<ReviewItem, Decision>()
  try {
    for (const [at, item] of found.items.entries()) {
      if (decided.has(item)) continue
      if ((await askOne(item, at, found, decided, io, keys)) === 'quit') break
    }
  } finally {
    keys.close()
  }
  const of = (decision: Decision): ReviewItem[] =>
    found.items.filter((item) => (decided.get(item) ?? 'skipped') === decision)
  io.print('')
  for (const decision of ['accepted', 'rejected', 'skipped'] as const) {
    for (const { file } of of(decision)) io.print(`  ${decision}  ${io.style.dim(escapeInvisible(file))}`)
  }
  const left = of('skipped').length
  io.print(
    `\n${of('accepted').length} accepted, ${of('rejected').length} rejected, ${left} skipped` +
      (left > 0 ? `: ${left === 1 ? 'it waits' : 'they wait'}` : ''),
  )
  return left > 0 ? exitCode.no : exitCode.yes
}

const askOne = async (
  item: ReviewItem,
  at: number,
  found: Review,
  decided: Map<ReviewItem, Decision>,
  io: Io,
  keys: Keys,
): Promise<'next' | 'quit'> => {
  let full = false
  let isShown = false
  for (;;) {
    const group = findGroup(
      item,
      found.items.filter((other) => !decided.has(other)),
    )
    if (!isShown) {
      const { file, change, problem } = item
      const place = { position: at + 1, total: found.items.length, height: io.height ?? 40 }
      io.print(renderReviewScreen({ ...place, file, change, problem, full, style: io.style, width: io.width }))
      printKeys(item, group, found, full, io)
      isShown = true
    }
    const key = await keys.next()
    switch (key) {
      case 'a':
        if (item.problem !== undefined) {
          io.print(`  cannot be accepted: ${escapeInvisible(item.problem)}`)
          break
        }
        if (decide(item, 'accepted', decided, io)) return 'next'
        break
      case 'r':
        if (decide(item, 'rejected', decided, io)) return 'next'
        break
      case 's':
        io.print('  skipped')
        decided.set(item, 'skipped')
        return 'next'
      case 'g':
        for (const other of group) decide(other, 'accepted', decided, io)
        if (decided.has(item)) return 'next'
        break
      case 'f':
        full = !full
        isShown = false
        break
      case 'q':
      case 'escape':
      case 'ctrl-c':
        return 'quit'
    }
  }
}

const decide = (
  item: ReviewItem,
  decision: 'accepted' | 'rejected',
  decided: Map<ReviewItem, Decision>,
  io: Io,
): boolean => {
  try {
    if (decision === 'accepted') item.accept()
    else item.reject()
  } catch (error) {
    if (!isRetakeError(error)) throw error
    io.print(`  ${io.style.bad(error.message.split('\n').map(escapeInvisible).join('\n  '))}`)
    return false
  }
  const paint = decision === 'accepted' ? io.style.good : io.style.bad
  io.print(`  ${paint(decision)}  ${io.style.dim(escapeInvisible(item.file))}`)
  decided.set(item, decision)
  return true
}

type Row = [key: string, word: string, text: string]

const printKeys = (
  item: ReviewItem,
  group: readonly ReviewItem[],
  { words, noun }: Review,
  full: boolean,
  { print, style }: Io,
): void => {
  const rows: Row[] = [
    ...(item.problem === undefined ? [['a', 'accept', words.accept] satisfies Row] : []),
    ['r', 'reject', words.reject],
    ['s', 'skip', 'decide later'],
    ...(group.some((other) => other !== item)
      ? [['g', 'group', `accept this cause in ${count(group.length, noun)} where nothing else changed`] satisfies Row]
      : []),
    ['f', full ? 'short' : 'full', full ? 'what changed only' : 'whole texts, and what is equal'],
    ['q', 'quit', 'what is left waits'],
  ]
  for (const [key, word, text] of rows) print(`  ${style.title(key)} ${word.padEnd(7)} ${style.dim(text)}`)
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
