import { chatJson } from './fake-provider/chat.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts'
import { createProject, type Project, type ProjectRun, type RunOptions } from './run-project.ts'

export interface EchoProject extends AsyncDisposable, Omit<Project, 'run'> {
  readonly provider: FakeProvider
  /** As in `Project`; the model is reachable, and a key is set unless the options say otherwise. */
  run(options?: RunOptions): Promise<ProjectRun>
  /** The cassette files, by their path below the folder of cassettes. */
  cassettes(): Promise<Record<string, string>>
}

const agent = `import OpenAI from 'openai'
// Made while the module loads, as most applications do.
const client = new OpenAI({ baseURL: process.env.MODEL_URL })
export const ask = async (content: string): Promise<string> => {
  const reply = await client.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content }] })
  return reply.choices[0]?.message.content ?? ''
}
`

/** A project whose agent asks a model that answers every question with `<question>, really?`. */
export const createEchoProject = async (files: Record<string, string>): Promise<EchoProject> =>
  await withEchoProvider(await createProject({ 'agent.ts': agent, ...files }))

/** The model for a project that has the agent. */
export const withEchoProvider = async (project: Project): Promise<EchoProject> => {
  const provider = await startFakeProvider({
    replies: ({ body }) => {
      const question = body.messages.at(-1).content
      return { ...chatJson({ content: `${question}, really?` }), waitMs: question === 'Take your time' ? 60_000 : 0 }
    },
  })
  const close = async () => {
    await provider.stop()
    await project.remove()
  }
  return {
    ...project,
    provider,
    run: ({ env, ...options } = {}) =>
      project.run({
        ...options,
        env: { MODEL_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-of-the-test-1234', ...env },
      }),
    cassettes: async () =>
      Object.fromEntries(
        Object.entries(await project.files()).flatMap(([path, text]) => {
          const [, name] = path.split('__cassettes__/')
          return name === undefined ? [] : [[name, text]]
        }),
      ),
    [Symbol.asyncDispose]: close,
  }
}
