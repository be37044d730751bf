import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConversationChange } from '@retake/compare'
import type { ChangeReport } from '@retake/report'
import writeFileAtomic from 'write-file-atomic'
import { compareSides } from '../changes/compare-sides.ts'
import { acceptTake, rejectTake } from '../changes/settle-take.ts'
import { type Side, toCommitSide, toFolderSide } from '../changes/side.ts'
import { findTakes, type Take, toTakeSides } from '../changes/takes.ts'
import { findCommit } from '../git/commit.ts'

/** One thing to decide. */
export interface ReviewItem {
  /** Path of the cassette. */
  file: string
  /** What it does differently; absent where the two sides say the same, or one cannot be read. */
  change?: ConversationChange
  /** Why it cannot be accepted. */
  problem?: string
  accept(): void
  reject(): void
}

/** What is to be decided, and how it is called. */
export interface Review {
  report: ChangeReport
  items: ReviewItem[]
  /** What each answer does, for the list of keys. */
  words: { accept: string; reject: string }
  /** What waits: `take`, `change`. */
  noun: string
}

/** The takes below a folder, what changes most first. */
export const reviewTakes = (cwd: string): Review => {
  const takes = findTakes(cwd)
  // Of two takes of one cassette the later is shown; the other is stale.
  const current = [...new Map(takes.map((take) => [take.cassette, take])).values()]
  const report = compareSides(...toTakeSides(current, cwd))
  const toItem = (take: Take): ReviewItem => {
    const file = take.cassette.replaceAll('\\', '/')
    const problem = take.stale ?? report.broken.find((broken) => broken.file === file)?.problem
    return {
      file,
      ...withChange(report, file),
      ...(problem !== undefined && { problem }),
      accept: () => acceptTake(take, cwd),
      reject: () => rejectTake(take, cwd),
    }
  }
  return {
    report,
    items: inOrderOf(report, takes.map(toItem)),
    words: { accept: 'the take becomes the cassette', reject: 'the take is deleted, the cassette stays' },
    noun: 'take',
  }
}

/** What the working tree has otherwise than a commit. Rejecting puts the cassettes of the commit back. */
export const reviewSince = (ref: string, cwd: string): Review => {
  const base = toCommitSide(findCommit(ref, cwd), cwd)
  const report = compareSides(base, toFolderSide(cwd, 'working tree'))
  const files = [...report.conversations.map(({ file }) => file), ...report.broken.map(({ file }) => file)]
  const items = files.map((file): ReviewItem => {
    const problem = report.broken.find((broken) => broken.file === file)?.problem
    return {
      file,
      ...withChange(report, file),
      ...(problem !== undefined && { problem }),
      accept: () => undefined,
      reject: () => putBack(base, report.conversations.find((change) => change.file === file)?.from ?? file, file, cwd),
    }
  })
  return {
    report,
    items,
    words: { accept: 'the cassette stays as it is now', reject: `the cassette of ${ref} is put back` },
    noun: 'change',
  }
}

const withChange = ({ conversations }: ChangeReport, file: string): Pick<ReviewItem, 'change'> => {
  const change = conversations.find((conversation) => conversation.file === file)
  return change ? { change } : {}
}

const inOrderOf = ({ conversations }: ChangeReport, items: ReviewItem[]): ReviewItem[] => {
  const placeOf = ({ change }: ReviewItem): number => (change ? conversations.indexOf(change) : conversations.length)
  return items.sort((one, other) => placeOf(one) - placeOf(other))
}

/** A file that the commit does not have is removed. */
const putBack = (base: Side, source: string, file: string, cwd: string): void => {
  const [read] = base.files.has(source) ? base.open([source]) : []
  if (read) writeFileAtomic.sync(resolve(cwd, source), read())
  if (!read || source !== file) rmSync(resolve(cwd, file), { force: true })
}
