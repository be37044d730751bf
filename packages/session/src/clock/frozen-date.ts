import { currentScope, type TestScope } from '../scope.ts'
import { shared } from '../seam/shared.ts'

/** Globals whose `Date` can stand still. */
interface Globals {
  Date: DateConstructor
}

/** Our `Date` over that of some globals, and how many cassettes want it. */
interface Frozen {
  readonly over: DateConstructor
  readonly date: DateConstructor
  holders: number
}

const frozen = new Map<Globals, Frozen>()
/** Of a cassette outside of tests: the whole process has this time. */
let processTime: number | undefined

/**
 * Lets `Date` stand still for one cassette: in the async context of its test, or in the whole process where it has none.
 * Everybody else keeps the present. A `Date` that is not the runtime's own, such as one of fake timers, is the user's
 * choice and stays.
 *
 * @param at milliseconds since the epoch
 * @returns what ends it
 */
export function freezeDate(scope: TestScope | undefined, at: number): () => void {
  const before = scope ? scope.frozenAt : processTime
  setTime(scope, at)
  const globals: Globals[] = [globalThis, ...(shared.realm ? [shared.realm] : [])]
  const releases = globals.map(hold)
  return () => {
    setTime(scope, before)
    for (const release of releases) release()
  }
}

function setTime(scope: TestScope | undefined, at: number | undefined): void {
  if (scope) scope.frozenAt = at
  else processTime = at
}

function hold(globals: Globals): () => void {
  const known = frozen.get(globals)
  if (!known && !isNative(globals.Date)) return () => {}
  const held: Frozen = known ?? { over: globals.Date, date: createDate(globals.Date), holders: 0 }
  held.holders++
  frozen.set(globals, held)
  if (globals.Date === held.over) globals.Date = held.date
  return () => {
    if (--held.holders > 0) return
    frozen.delete(globals)
    // Fake timers that were put over it put back what they found; until then it is theirs.
    if (globals.Date === held.date) globals.Date = held.over
  }
}

/** The one of fake timers is a proxy, which looks native but for its mark. */
const isNative = (date: DateConstructor): boolean =>
  !('isFake' in date) && Function.prototype.toString.call(date).includes('[native code]')

const timeHere = (): number | undefined => {
  const scope = currentScope()
  return scope ? scope.frozenAt : processTime
}

/** `Date` itself, but for what it takes for now. */
function createDate(over: DateConstructor): DateConstructor {
  const now = () => timeHere() ?? over.now()
  return new Proxy(over, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    apply: () => new over(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
