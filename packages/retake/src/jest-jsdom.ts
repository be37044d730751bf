export { TestEnvironment as default } from '@retake/jest/jsdom'
