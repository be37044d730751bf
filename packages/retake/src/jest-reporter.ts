export { CassetteReporter as default } from '@retake/jest/reporter'
