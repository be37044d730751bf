import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { chatCall, chatReply } from '../../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'

/** A user's environment: nothing of the npm that started this script, and no CI. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(CI|NODE_OPTIONS|RETAKE.*|OPENAI_.*|npm_(?!config_).*|npm_config_(local_prefix|node_options))$/i.test(name),
  ),
)

export interface Stranger {
  /** Added to a user's environment. */
  env?: Record<string, string>
  /** What every `node` is. [this one] */
  node?: string
}

/** @throws Error with all the output when the command fails */
export async function runAsStranger(
  cwd: string,
  command: string,
  { env, node = process.execPath }: Stranger = {},
): Promise<string> {
  const started = performance.now()
  const path = { NO_COLOR: '1', PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
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
  if (code !== 0) throw new Error(`${command}: exit ${code}\n${output}`)
  console.log(`ok  ${command}  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return output
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
