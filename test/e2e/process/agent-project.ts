import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseTrace, type Trace, verifyText } from '@retake/trace'
import { expect } from 'vitest'
import { chatCall, chatReply } from '../../support/fake-provider/chat.ts'
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../../support/fake-provider/reply.ts'
import { createProject, type Project, type ProjectRun } from '../../support/run-project.ts'

export const command = ['node', 'agent.mjs']

/** An agent that knows nothing of retake: it looks an order up and answers. */
export const plainAgent = `
import OpenAI from 'openai'
const client = new OpenAI({ maxRetries: 0 })
const messages = [
  { role: 'system', content: process.env.PROMPT ?? 'You are the refund agent.' },
  { role: 'user', content: 'Where is A-77?' },
]
const tools = [{ type: 'function', function: { name: 'lookup', parameters: { type: 'object' } } }]
const lookup = globalThis.lookup ?? (async () => 'late')
for (;;) {
  const { choices: [{ message }] } = await client.chat.completions.create({ model: 'gpt-5', messages, tools })
  messages.push(message)
  if (!message.tool_calls) { console.log(message.content); break }
  for (const call of message.tool_calls) {
    const content = await lookup(JSON.parse(call.function.arguments))
    messages.push({ role: 'tool', tool_call_id: call.id, content })
  }
}
`

export const refundReplies: [Scripted, Scripted] = [
  chatReply({ tool_calls: [chatCall('call_1', 'lookup', { order: 'A-77' })] }),
  chatReply({ content: 'It is late.' }),
]

export interface AgentProject extends AsyncDisposable {
  readonly project: Project
  readonly provider: FakeProvider
  /** Runs the command line with a key and the URL of the provider. */
  retake(argv: readonly string[], env?: Record<string, string>): Promise<ProjectRun>
  /** Runs a program without it. */
  run(argv: string[], env?: Record<string, string>): Promise<ProjectRun>
}

/** The build, as users have it: the sources take a second to load in each process. */
const build = pathToFileURL(resolve(import.meta.dirname, '../../../packages/retake/dist/index.mjs')).href
const builtRetake = {
  'node_modules/retake/package.json':
    '{ "name": "retake", "type": "module", "exports": { ".": "./index.js", "./register": "./register.js" } }',
  'node_modules/retake/index.js': `export * from '${build}'\n`,
  'node_modules/retake/register.js': `import '${build.replace('index.mjs', 'register.mjs')}'\n`,
}

export async function createAgentProject(
  files: Record<string, string> = { 'agent.mjs': plainAgent },
  replies: readonly Scripted[] | Extract<Scripted, (...args: never[]) => unknown> = refundReplies,
): Promise<AgentProject> {
  const provider = await startFakeProvider({ replies })
  const project = await createProject({ ...files, ...builtRetake })
  const run = (argv: string[], env: Record<string, string> = {}) =>
    project.run({
      command: argv,
      env: { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-sample-key-of-a-test', ...env },
    })
  return {
    project,
    provider,
    run,
    retake: (argv, env) => run(['retake', ...argv], env),
    async [Symbol.asyncDispose]() {
      await provider.stop()
      await project.remove()
    },
  }
}

/** The trace of a file of the project, which must be sound. */
export function traceOf({ files }: ProjectRun, path: string): Trace {
  const text = files[path]
  expect(Object.keys(files)).toContain(path)
  expect(verifyText(text ?? '').pass).toBe(true)
  return parseTrace(text ?? '')
}

export const typesOf = ({ steps }: Trace): string[] => steps.map(({ type }) => type)

export const terminalOf = ({ steps }: Trace): unknown => steps.at(-1)?.payload
