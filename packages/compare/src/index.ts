export type { Difference } from './difference.ts'
