import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import { originalAnswer } from './exchange.ts'
import type { Judgement } from './judge-run.ts'

/** Writes one JSON file an exchange, numbered as in the traffic file, with both bodies as they came over the wire. */
export const writeDump = async (folder: string, judged: Iterable<[TrafficExchange, Judgement]>): Promise<void> => {
  await mkdir(folder, { recursive: true })
  let number = 0
  for (const [exchange, { verdict, reason, replayed }] of judged) {
    number += 1
    const { run, turn, provider, endpoint, streaming } = exchange
    const { status, body } = originalAnswer(exchange)
    const content = {
      run,
      turn,
      provider,
      endpoint,
      streaming,
      verdict,
      ...(reason !== undefined && { reason }),
      original: { status, body },
      replayed: replayed ? { status: replayed.status, headers: replayed.headers, body: replayed.body } : null,
    }
    await writeFile(join(folder, `${String(number).padStart(5, '0')}.json`), `${JSON.stringify(content, null, 2)}\n`)
  }
}
