import { chatJson } from './fake-provider/chat.ts'
import { type ModelProject, withModel } from './model-project.ts'
import { createProject, type Project } from './run-project.ts'

const agent = `import OpenAI from 'openai'
// Made while the module loads, as most applications do.
const client = new OpenAI({ baseURL: process.env.MODEL_URL })
export const ask = async (content: string): Promise<string> => {
  const reply = await client.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content }] })
  return reply.choices[0]?.message.content ?? ''
}
`

/** A project whose agent asks a model that answers every question with `<question>, really?`. */
export const createEchoProject = async (files: Record<string, string>): Promise<ModelProject> =>
  await withEchoModel(await createProject({ 'agent.ts': agent, ...files }))

/** The model for a project that has the agent. */
export const withEchoModel = (project: Project): Promise<ModelProject> =>
  withModel(project, ({ body }) => {
    const question = body.messages.at(-1).content
    return { ...chatJson({ content: `${question}, really?` }), waitMs: question === 'Take your time' ? 60_000 : 0 }
  })
