import { type CassetteFile, isJsonObject, type StepExtras } from '@retake/trace'
import { behaviorAreas, type Change, changeKey, type RequestArea } from './change.ts'
import { compareRuns, type RunComparison } from './compare-runs.ts'

/** One cassette on two sides: two commits, two folders, a cassette and its take. */
export interface CassettePair {
  /** Path for people; of a moved one the new path. */
  file: string
  /** The path it had before, where it moved. */
  from?: string
  before?: CassetteFile
  after?: CassetteFile
  /** Why there is no `before`, where there is a file that cannot be read. */
  problemBefore?: string
}

/** Of both sides, where they are known. */
export interface BeforeAfter {
  before?: number
  after?: number
}

/** A conversation that is not the same on both sides. */
export interface ConversationChange extends RunComparison {
  file: string
  from?: string
  /** Name of its test, `describe › test`; of a file that does not say, made from its path. */
  name: string
  kind: 'changed' | 'added' | 'removed' | 'moved'
  /** Why one that counts as added cannot be compared: its file could not be read before. */
  problemBefore?: string
  /** Requests to a model. */
  modelCalls: BeforeAfter
  /** Read and written, where the cassettes count them. */
  tokens: BeforeAfter
}

/** One thing that was done to the agent or its surroundings, and the conversations that it reached. */
export interface Cause {
  change: Change<RequestArea>
  /** Indexes into the list of conversations. */
  conversations: number[]
}

export interface CassetteComparison {
  /** Those whose behaviour changed come first, weightiest change first. */
  conversations: ConversationChange[]
  /** Each once, those of most conversations first. */
  causes: Cause[]
  unchanged: number
}

/** What changed in a set of cassettes, and why. */
export const compareCassettes = (pairs: readonly CassettePair[]): CassetteComparison => {
  const conversations = pairs
    .flatMap((pair) => toConversationChange(pair) ?? [])
    .sort((one, other) => weightOf(one) - weightOf(other))
  return { conversations, causes: findCauses(conversations), unchanged: pairs.length - conversations.length }
}

const toConversationChange = (pair: CassettePair): ConversationChange | undefined => {
  const { file, from, before, after, problemBefore } = pair
  const shown = after ?? before
  if (!shown) return undefined
  const comparison = before && after ? compareRuns(before.trace, after.trace) : nothing
  const isSame = comparison.behavior.length + comparison.requests.length === 0
  const kind = !before ? 'added' : !after ? 'removed' : isSame ? 'moved' : 'changed'
  if (kind === 'moved' && from === undefined) return undefined
  return {
    file,
    ...(from !== undefined && { from }),
    name: nameOf(shown, file),
    kind,
    ...(!before && problemBefore !== undefined && { problemBefore }),
    ...comparison,
    modelCalls: both(before, after, countModelCalls),
    tokens: both(before, after, ({ extras }) => sumTokens(extras)),
  }
}

const nothing: RunComparison = { conversation: [], behavior: [], requests: [] }

/** The name of a cassette for people. */
const nameOf = ({ test }: CassetteFile, file: string): string =>
  test
    ? test.name.replaceAll(' > ', ' › ')
    : file
        .split('/')
        .slice(-2)
        .join(' › ')
        .replace(/\.cassette\.json$/, '')

const both = (
  before: CassetteFile | undefined,
  after: CassetteFile | undefined,
  measure: (file: CassetteFile) => number | undefined,
): BeforeAfter => {
  const [one, other] = [before && measure(before), after && measure(after)]
  return { ...(one !== undefined && { before: one }), ...(other !== undefined && { after: other }) }
}

const countModelCalls = ({ trace }: CassetteFile): number =>
  trace.steps.filter(({ type, payload }) => type === 'model_input' && isJsonObject(payload)).length

const sumTokens = (extras: readonly StepExtras[]): number | undefined => {
  const counted = extras.flatMap(({ tokens }) => (tokens ? [(tokens.input ?? 0) + (tokens.output ?? 0)] : []))
  return counted.length === 0 ? undefined : counted.reduce((sum, tokens) => sum + tokens, 0)
}

const kinds = ['changed', 'removed', 'added', 'moved'] as const

/** Behaviour by its weightiest area, then what only was asked otherwise, then what is on one side only. */
const weightOf = ({ kind, behavior: [first] }: ConversationChange): number =>
  kind === 'changed' && first ? behaviorAreas.indexOf(first.area) : behaviorAreas.length + kinds.indexOf(kind)

const findCauses = (conversations: readonly ConversationChange[]): Cause[] => {
  const causes = new Map<string, Cause>()
  for (const [index, { requests }] of conversations.entries()) {
    for (const change of requests) {
      const key = changeKey(change)
      const cause = causes.get(key) ?? { change, conversations: [] }
      causes.set(key, cause)
      cause.conversations.push(index)
    }
  }
  return [...causes.values()].sort((one, other) => other.conversations.length - one.conversations.length)
}
