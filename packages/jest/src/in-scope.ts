import { runInScope, type TestScope } from '@retake/session/set-up'
import type { CircusFunction } from './circus.ts'

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/**
 * A test or hook that runs in the scope which `begin` gives when it is called. Jest tells by the number of parameters
 * whether it takes `done`, and by the kind of function whether it is a generator.
 */
export const inScope = (fn: CircusFunction, begin: () => TestScope | undefined): CircusFunction => {
  const run = fn as AnyFunction
  const call = (self: unknown, args: unknown[]): unknown => {
    const scope = begin()
    return scope ? runInScope(scope, () => run.apply(self, args)) : run.apply(self, args)
  }
  if (fn.length > 0) {
    return function (this: unknown, done: unknown) {
      return call(this, [done])
    }
  }
  if (isGenerator(fn)) {
    return function* (this: unknown) {
      const scope = begin()
      return yield* scope ? steps(run.call(this) as Generator, scope) : (run.call(this) as Generator)
    }
  }
  return function (this: unknown) {
    return call(this, [])
  }
}

const isGenerator = (fn: CircusFunction): boolean => Object.prototype.toString.call(fn) === '[object GeneratorFunction]'

/** Each step of a generator, in the scope: what it waits for in between is awaited outside of it. */
function* steps(generator: Generator, scope: TestScope): Generator {
  let result = runInScope(scope, () => generator.next())
  while (!result.done) {
    let given: unknown
    try {
      given = yield result.value
    } catch (error) {
      result = runInScope(scope, () => generator.throw(error))
      continue
    }
    result = runInScope(scope, () => generator.next(given))
  }
  return result.value
}
