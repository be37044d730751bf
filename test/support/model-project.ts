import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from './fake-provider/fake-provider.ts'
import type { Project } from './run-project.ts'

/** A project that has a model at `MODEL_URL`, and a key unless the options of a run say otherwise. */
export interface ModelProject extends Project {
  readonly provider: FakeProvider
  /** The cassette files, by their path below the folder of cassettes. */
  cassettes(): Promise<Record<string, string>>
}

type Replies = NonNullable<FakeProviderOptions['replies']>

/** Starts the model of a project; removing the project stops it. */
export const withModel = async (project: Project, replies: Replies): Promise<ModelProject> => {
  const provider = await startFakeProvider({ replies })
  const remove = async () => {
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
    remove,
    [Symbol.asyncDispose]: remove,
  }
}
