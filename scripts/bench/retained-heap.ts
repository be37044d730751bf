/**
 * node --expose-gc scripts/bench/retained-heap.ts REQUESTS
 * Replays so many requests, 200 a test, and prints the bytes of heap that stay for each.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { record, replaying, requests } from './fetch-rows.ts'

const total = Number(process.argv[2])
const folder = await mkdtemp(join(tmpdir(), 'retake-heap-'))

async function heapUsed(): Promise<number> {
  if (!globalThis.gc) throw new Error('needs --expose-gc')
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}

try {
  const path = join(folder, 'heap.cassette.json')
  const url = await record(path)
  const side = replaying(path, url)
  const replay = async (times: number) => {
    for (let n = 0; n < times; n++) {
      side.before?.()
      await side.work()
    }
  }
  // What is loaded and compiled once.
  await replay(3)
  const before = await heapUsed()
  await replay(Math.ceil(total / requests))
  console.log(((await heapUsed()) - before) / total)
} finally {
  await rm(folder, { recursive: true })
}
