import { ConfigError } from '@retake/trace'
import type { AnyTool } from '../cassette.ts'
import type { Driver } from '../driver.ts'

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** What records or replays wrapped tools. `run` executes the real one. */
export type ToolCaller = Pick<Driver, 'callTool' | 'wrapsTool'>

/** Members under which the usual SDKs keep a tool's function. */
const runners = ['execute', 'run', 'invoke'] as const

/** Wraps every tool of a record: functions, and objects that hold their function as `execute`, `run` or `invoke`. */
export function wrapTools<T extends Record<string, AnyTool>>(tools: T, caller: ToolCaller): T {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, wrapTool(name, tool, caller)])) as T
}

export function wrapTool<F>(name: string, tool: F, caller: ToolCaller): F {
  caller.wrapsTool?.(name)
  if (typeof tool === 'function') return wrapFunction(name, tool as unknown as AnyFunction, caller) as F
  if (typeof tool === 'object' && tool !== null) {
    const key = runners.find((member) => typeof (tool as Record<string, unknown>)[member] === 'function')
    if (key) {
      const copy = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool))
      const value = wrapFunction(name, (tool as Record<string, AnyFunction>)[key] as AnyFunction, caller)
      return Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true })
    }
  }
  throw new ConfigError(`cassette.tools: "${name}" is neither a function nor an object with execute, run or invoke`, {
    name,
  })
}

function wrapFunction(name: string, run: AnyFunction, { callTool }: ToolCaller): AnyFunction {
  const isAsync = run.constructor.name === 'AsyncFunction'
  const wrapped: AnyFunction = function (this: unknown, ...args) {
    return callTool({ name, args, run: () => run.apply(this, args), isAsync })
  }
  // Schemas and names that libraries hang on the function stay visible.
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(run))
  return wrapped
}
