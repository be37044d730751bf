import { ConfigError } from '@retake/trace'
import type { AnyTool } from '../cassette.ts'

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** Runs one call of a wrapped tool; `run` executes the real one. */
export type CallTool = (name: string, args: unknown[], run: () => unknown, isAsync: boolean) => unknown

/** Members under which the usual SDKs keep a tool's function. */
const runners = ['execute', 'run', 'invoke'] as const

/** Wraps every tool of a record: functions, and objects that hold their function as `execute`, `run` or `invoke`. */
export function wrapTools<T extends Record<string, AnyTool>>(tools: T, call: CallTool): T {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, wrapTool(name, tool, call)])) as T
}

export function wrapTool<F>(name: string, tool: F, call: CallTool): F {
  if (typeof tool === 'function') return wrapFunction(name, tool as unknown as AnyFunction, call) as F
  if (typeof tool === 'object' && tool !== null) {
    const key = runners.find((member) => typeof (tool as Record<string, unknown>)[member] === 'function')
    if (key) {
      const copy = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool))
      const value = wrapFunction(name, (tool as Record<string, AnyFunction>)[key] as AnyFunction, call)
      return Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true })
    }
  }
  throw new ConfigError(`cassette.tools: "${name}" is neither a function nor an object with execute, run or invoke`, {
    name,
  })
}

function wrapFunction(name: string, run: AnyFunction, call: CallTool): AnyFunction {
  const isAsync = run.constructor.name === 'AsyncFunction'
  const wrapped: AnyFunction = function (this: unknown, ...args) {
    return call(name, args, () => run.apply(this, args), isAsync)
  }
  // Schemas and names that libraries hang on the function stay visible.
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(run))
  return wrapped
}
