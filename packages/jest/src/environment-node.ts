import { findEnvironment } from './find-environment.ts'
import { withRetake } from './with-retake.ts'

/** `testEnvironment: 'retake/jest/node'` */
export const TestEnvironment = withRetake(findEnvironment('jest-environment-node'))
