import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readTraffic, TrafficError, type TrafficExchange } from '../test/support/fake-provider/traffic.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>['values']

export interface TrafficScript<T extends Options> {
  name: string
  usage: string
  options: T
  /** Prints what it found, and says whether all is well. */
  judge(traffic: TrafficExchange[], values: Values<T>): Promise<boolean>
}

/**
 * The main function of a script that reads one traffic file and judges it. The process exits with 0 if all is well, with
 * 1 if not, with 2 for wrong arguments or a file that cannot be read.
 */
export const onTraffic = async <T extends Options>({
  name,
  usage,
  options,
  judge,
}: TrafficScript<T>): Promise<void> => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean' } },
    })
    const [file, ...more] = positionals
    if ('help' in values && values.help) {
      console.log(usage)
      return
    }
    if (file === undefined || more.length > 0) {
      console.error(usage)
      process.exitCode = 2
      return
    }
    process.exitCode = (await judge(await readTraffic(file), values as Values<T>)) ? 0 : 1
  } catch (error) {
    // Errors with a code come from the file system and from parseArgs; everything else is a fault of the script.
    const isInput = error instanceof TrafficError || (error instanceof Error && 'code' in error)
    console.error(isInput ? `${name}: ${error.message}` : error)
    process.exitCode = 2
  }
}

/** Calls `work` for each run with a folder of its own; exchanges of a run keep their order, runs may be interleaved. */
export const eachRun = async (
  exchanges: TrafficExchange[],
  work: (run: TrafficExchange[], folder: string) => Promise<void>,
): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'retake-traffic-'))
  try {
    for (const [index, run] of [...Map.groupBy(exchanges, ({ run }) => run).values()].entries())
      await work(run, join(root, `${index}`))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
