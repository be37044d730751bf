type Report = typeof import('@retake/report')

const { createRequire } = process.getBuiltinModule('node:module')

/**
 * The renderers, when one is first needed: most expectations hold and print nothing. At once, since a matcher cannot wait,
 * and by Node itself: whichever module system the test runner has, they only make texts of data.
 */
export const report = (): Report =>
  createRequire(import.meta.url)(import.meta.url.endsWith('.ts') ? '@retake/report' : './report.mjs')
