export type * from './cassette.ts'
export * from './errors.ts'
export type { ModeSources } from './mode.ts'
export { createScope, currentScope, runInScope, type TestScope } from './scope.ts'
