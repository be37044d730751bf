export type * from './cassette.ts'
