#!/usr/bin/env node
// Only syntax that old Node versions parse: here one too old is told so.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const version = process.versions.node.split('.').map(Number)
const build = new URL('../dist/cli.mjs', import.meta.url)

if (version[0] < 22 || (version[0] === 22 && version[1] < 12)) {
  process.stderr.write(`retake needs Node 22.12 or newer; this is ${process.version}.\n`)
  process.exitCode = 2
} else if (!existsSync(fileURLToPath(build))) {
  process.stderr.write('retake is not built in this checkout: run `npm run build` first.\n')
  process.exitCode = 2
} else {
  import(build.href)
    .then((cli) => cli.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code
    })
}
