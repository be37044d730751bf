/**
 * A process in which retake meets a library that answers requests too: `node play.ts <neighbour>`. The last line
 * of its output is JSON: what came of each cell. `RECORDED` is a cassette with one answer, "hello".
 */
import { installSeam } from '@retake/session'
import { capturedFetch } from './captured-fetch.ts'
import type { createNeighbour } from './neighbour.ts'

// As the setup file of the plugin: before anything that a test imports.
installSeam()

const [, , name = ''] = process.argv
const neighbour: { createNeighbour: typeof createNeighbour } = await import(`./neighbours/${name}.ts`)
const { playAll } = await import('./play-all.ts')
const cells = await playAll({ ...neighbour, capturedFetch, recorded: process.env.RECORDED ?? '' })
process.stdout.write(`\n${JSON.stringify(cells)}\n`)
process.exit(0)
