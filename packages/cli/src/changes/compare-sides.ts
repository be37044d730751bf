import { type CassettePair, compareCassettes } from '@retake/compare'
import type { ChangeReport } from '@retake/report'
import { type CassetteFile, isRetakeError, parseCassette, type VerifyReport, verifyCassette } from '@retake/trace'
import type { Side } from './side.ts'

/** What changed from one side to the other. A cassette of the head that cannot be read, or does not verify, is broken. */
export const compareSides = (base: Side, head: Side): ChangeReport => {
  const paths = [...new Set([...base.files.keys(), ...head.files.keys()])].sort()
  const isSame = (path: string): boolean => {
    const id = base.files.get(path)
    return id !== undefined && id === head.files.get(path)
  }
  const differing = paths.filter((path) => !isSame(path))
  const [before, after] = [readSide(base, differing), readSide(head, differing)]
  const broken: ChangeReport['broken'] = []
  const pairs: CassettePair[] = []
  for (const file of differing) {
    const [one, other] = [before.get(file), after.get(file)]
    const problem = other && problemOf(other)
    if (problem !== undefined) broken.push({ file, problem })
    else if (one?.text === undefined || one.text !== other?.text) {
      pairs.push({
        file,
        ...(one?.cassette && { before: one.cassette }),
        ...(one?.problem !== undefined && { problemBefore: one.problem }),
        ...(other?.cassette && { after: other.cassette }),
      })
    }
  }
  const { unchanged, ...comparison } = compareCassettes(joinMoved(pairs))
  const same = paths.length - broken.length - pairs.length
  return { base: base.label, head: head.label, broken, ...comparison, unchanged: unchanged + same }
}

/** A file that was read, as far as it could be. */
interface ReadFile {
  text?: string
  cassette?: CassetteFile
  problem?: string
}

const readSide = (side: Side, paths: readonly string[]): Map<string, ReadFile> => {
  const own = paths.filter((path) => side.files.has(path))
  return new Map(side.open(own).map((read, nth) => [own[nth] ?? '', readOne(read, own[nth] ?? '')]))
}

const readOne = (read: () => string, path: string): ReadFile => {
  let text: string | undefined
  try {
    text = read().replaceAll('\r\n', '\n')
    return { text, cassette: parseCassette(text, { path }) }
  } catch (error) {
    if (!isRetakeError(error)) throw error
    // What it is, and the way out where there is one; the line between names the place.
    const lines = error.message.split('\n').filter((_, nth) => nth !== 1)
    return { ...(text !== undefined && { text }), problem: lines.map((line) => line.trim()).join('. ') }
  }
}

const problemOf = ({ cassette, problem }: ReadFile): string | undefined =>
  cassette ? firstFault(verifyCassette(cassette)) : problem

/** The first check that failed, and where. */
export const firstFault = ({ checks }: VerifyReport): string | undefined => {
  const failed = checks.find(({ status }) => status === 'fail')
  return failed && [failed.name, failed.where, failed.detail].filter((part) => part !== undefined).join(': ')
}

/** A cassette that moved with its test keeps the id of its run. */
const joinMoved = (pairs: readonly CassettePair[]): CassettePair[] => {
  const gone = new Map(pairs.flatMap((pair) => (pair.before && !pair.after ? [[pair.before.trace.id, pair]] : [])))
  const joined = new Set<CassettePair>()
  const moved = pairs.map((pair): CassettePair => {
    const source = pair.after && !pair.before ? gone.get(pair.after.trace.id) : undefined
    if (!source?.before || joined.has(source)) return pair
    joined.add(source)
    return { ...pair, from: source.file, before: source.before }
  })
  return moved.filter((_, nth) => !joined.has(pairs[nth] as CassettePair))
}
