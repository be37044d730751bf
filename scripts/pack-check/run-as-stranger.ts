import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { chatCall, chatReply } from '../../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'

/** A user's environment: nothing of the npm that started this script, and no CI. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(CI|NODE_OPTIONS|RETAKE.*|OPENAI_.*|npm_(?!config_).*|npm_config_(local_prefix|node_options))$/i.test(name),
  ),
)

const root = join(import.meta.dirname, '../..')
/** Folders of programs that the machine has without this repository. */
const ofMachine = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))

export interface Stranger {
  /** Added to a user's environment. */
  env?: Record<string, string>
  /** What every `node` is; null for the one of the machine, or of the project. [this one] */
  node?: string | null
  /** Expected exit code. [0] */
  code?: number
}

/**
 * @returns all the output
 * @throws Error with it when the command ends with another code
 */
export async function runAsStranger(
  cwd: string,
  command: string,
  { env, node = process.execPath, code: expected = 0 }: Stranger = {},
): Promise<string> {
  const started = performance.now()
  const path = { NO_COLOR: '1', PATH: [...(node === null ? [] : [dirname(node)]), ...ofMachine].join(delimiter) }
  const child = spawn(command, {
    cwd,
    shell: true,
    env: { ...environment, ...path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== expected) throw new Error(`${command}: exit ${code}, not ${expected}\n${output}`)
  console.log(`ok  ${command}  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return output
}

/** @throws Error unless `output` has the text */
export const expectText = (output: string, text: string): void => {
  if (!output.includes(text)) throw new Error(`expected ${JSON.stringify(text)} in:\n${output}`)
}

/** The test of test/stranger in `directory` records, and replays with the provider gone, as in CI. */
export async function replayAsStranger(directory: string, node?: string): Promise<void> {
  const provider = await startFakeProvider({
    replies: [
      chatReply({ tool_calls: [chatCall('call_1', 'lookupOrder', { orderId: 'A-77' })] }),
      chatReply({ content: 'It is late.' }),
    ],
  })
  const run = (env: Record<string, string>) =>
    runAsStranger(directory, 'npx vitest run', {
      env: { PROVIDER_URL: `${provider.url}/v1`, ...env },
      ...(node && { node }),
    })
  await run({ RETAKE: 'update', OPENAI_API_KEY: 'sk-loopback' })
  await provider.stop()
  await run({ CI: 'true' })
}
