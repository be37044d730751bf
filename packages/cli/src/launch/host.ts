import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A session in a process of its own, for a command that is no Node. */
export interface Host {
  /** Variables of the command that lead its clients to the session. */
  variables: Record<string, string>
  /** Ends the session as the command ended, and waits until it is written. */
  end(exitCode: number): Promise<void>
}

const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../../session/src/process/host.ts' : './host.mjs',
  import.meta.url,
)

/** @returns undefined where there is no session; its report says why */
export const startHost = async (cwd: string, env: NodeJS.ProcessEnv): Promise<Host | undefined> => {
  const child = fork(fileURLToPath(program), { cwd, env, execArgv: [] })
  const ended = once(child, 'exit')
  const variables = await Promise.race([firstMessage(child), ended.then(() => undefined)])
  if (variables === undefined) return undefined
  return {
    variables,
    async end(exitCode) {
      if (child.connected) child.send(exitCode)
      await ended
    },
  }
}

const firstMessage = async (child: ChildProcess): Promise<Record<string, string>> => {
  const [message] = await once(child, 'message')
  return message.variables
}
