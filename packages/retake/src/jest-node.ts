export { TestEnvironment as default } from '@retake/jest/node'
