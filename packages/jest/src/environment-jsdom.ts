import { findEnvironment } from './find-environment.ts'
import { withRetake } from './with-retake.ts'

/** `testEnvironment: 'retake/jest/jsdom'` */
export const TestEnvironment = withRetake(findEnvironment('jest-environment-jsdom'))
