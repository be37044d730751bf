import type { ChildProcess } from 'node:child_process'
import dc from 'node:diagnostics_channel'
import { basename } from 'node:path'
import { sessionHere } from './attribution.ts'
import { shared } from './shared.ts'

/** Agents that SDKs and tests start as programs of their own, and the packages that bring them. */
const programs: Readonly<Record<string, RegExp>> = {
  claude: /@anthropic-ai[\\/]claude-(code|agent-sdk)/,
  codex: /@openai[\\/]codex/,
  gemini: /@google[\\/]gemini-cli/,
}

/** Says that retake sees nothing of an agent that runs in another process. Not of one that is started synchronously. */
export function watchAgentPrograms(): void {
  dc.subscribe('child_process', (message) => {
    const session = sessionHere()
    // What a wrapped tool starts is not started in a replay.
    if (!session || shared.way.getStore()) return
    const { process: child } = message as { process: ChildProcess }
    // It is announced before it is known what will be started.
    process.nextTick(() => {
      const name = agentProgramOf(child.spawnfile, child.spawnargs)
      if (!name) return
      session.notice(
        `${name} was started as a program of its own, where retake sees nothing: what it asks is neither recorded nor ` +
          `replayed, and reaches the network in a replay too. Start it in a wrapped tool, which a replay does not run: ` +
          `cassette.tool('${name}', …).`,
      )
    })
  })
}

/** The agent that this command is: the program, the script that Node runs, or what a shell is given. */
export function agentProgramOf(file: string | undefined, args: readonly string[] = []): string | undefined {
  const [, first = ''] = args
  const isShell = /^(-c|\/[dsc])$/.test(first)
  const [command = ''] = (isShell ? (args.at(-1) ?? '') : '').replaceAll('"', '').trim().split(/\s/)
  const words = [file ?? '', isShell ? command : first]
  return Object.keys(programs).find((name) =>
    words.some((word) => basename(word.replaceAll('\\', '/')).replace(/\.(exe|cmd)$/, '') === name || isOf(name, word)),
  )
}

const isOf = (name: string, path: string): boolean => programs[name]?.test(path) ?? false
