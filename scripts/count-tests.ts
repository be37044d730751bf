/** Prints what Vitest's JSON report holds as one line: `12 passed, 0 failed`. */
import { readFileSync } from 'node:fs'

interface Report {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

const report: Report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
// A file that fails before or after its tests, an import that throws for one, is a failure that no test carries.
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
)
const failed = report.numFailedTests + brokenFiles.length
console.log(`${report.numPassedTests} passed, ${failed === 0 && !report.success ? 1 : failed} failed`)
