import { ConfigError } from '@retake/trace'
import type { AnyTool } from '../cassette.ts'
import type { Driver } from '../driver.ts'
import { isOnlyDescribed, shapeOf, type ToolShape } from './tool-shape.ts'

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** What records or replays wrapped tools. `run` executes the real one. */
export type ToolCaller = Pick<Driver, 'callTool' | 'wrapsTool'>

/** Wraps every tool of a record: functions, and the tools of the usual SDKs. Nothing is changed in place. */
export function wrapTools<T extends Record<string, AnyTool>>(tools: T, caller: ToolCaller): T {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, wrapTool(name, tool, caller)])) as T
}

/** @throws ConfigError for what is no tool */
export function wrapTool<F>(name: string, tool: F, caller: ToolCaller): F {
  if (typeof tool === 'function') {
    caller.wrapsTool?.(name)
    return wrapFunction(name, tool as unknown as AnyFunction, caller) as F
  }
  if (typeof tool === 'object' && tool !== null) {
    const shape = shapeOf(tool)
    if (shape) {
      caller.wrapsTool?.(name)
      return wrapMember(name, tool, shape, caller)
    }
    if (isOnlyDescribed(tool)) return tool
  }
  throw new ConfigError(
    `cassette.tools: "${name}" is neither a function nor a tool: an object with execute, run or invoke`,
    { name },
  )
}

function wrapMember<T extends object>(name: string, tool: T, { member, inputOf }: ToolShape, caller: ToolCaller): T {
  const copy = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool))
  const run = (tool as Record<string, AnyFunction>)[member] as AnyFunction
  const value = wrapFunction(name, run, caller, inputOf)
  return Object.defineProperty(copy, member, { value, enumerable: true, configurable: true, writable: true })
}

function wrapFunction(
  name: string,
  run: AnyFunction,
  { callTool }: ToolCaller,
  inputOf?: ToolShape['inputOf'],
): AnyFunction {
  const isAsync = run.constructor.name === 'AsyncFunction'
  const wrapped: AnyFunction = function (this: unknown, ...args) {
    return callTool({ name, args: inputOf?.(args) ?? args, run: () => run.apply(this, args), isAsync })
  }
  // Schemas and names that libraries hang on the function stay visible.
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(run))
  return wrapped
}
