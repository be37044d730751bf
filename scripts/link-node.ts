import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The tests bring other Nodes along (node22, node26), and each has a bin called `node`; npm links whichever comes first.
 * `npm run` and `npx` are to use the one of the root. Run by npm after an install.
 */
const link = join(import.meta.dirname, '../node_modules/.bin/node')
if (process.platform !== 'win32') {
  rmSync(link, { force: true })
  symlinkSync('../node/bin/node', link)
}
