/**
 * What prepares a process, or a test file, before anything of it runs. A second entry of its own, since every test file
 * pays for it: nothing here loads more than two built-ins that a worker has loaded anyway.
 */
export { createAllowance } from './allowance.ts'
export { setPlaceholderAwsKey, setPlaceholderKeys } from './api-keys.ts'
export { countDuplicates } from './runner/count-duplicates.ts'
export { createScope, currentScope, endScope, runInScope, type TestScope, takeLateErrors } from './scope.ts'
export { installSeam } from './seam/install-seam.ts'
export type { Realm } from './seam/shared.ts'
export { watchOutside } from './seam/without-cassette.ts'
