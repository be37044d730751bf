export * from './error.ts'
export * from './json.ts'
export * from './trace.ts'
