import { join } from 'node:path'
import { loadTrace } from 'retake/trace'
import { startFakeProvider } from '../test/support/fake-provider/fake-provider.ts'
import type { Project, ProjectRun } from '../test/support/run-project.ts'
import { copyExample } from './demo/example-project.ts'
import { excerptFailure } from './demo/excerpt-failure.ts'
import { renderSteps } from './demo/render-steps.ts'
import { replies } from './demo/shop-model.ts'

const testTitle = 'refunds a late order'
const testFile = 'test/refund-agent.test.ts'
const agentFile = 'src/refund-agent.ts'
const changed = {
  before: 'Refund only late orders, and never more than their total.',
  after: 'Refund late orders at once, and never more than their total.',
}

/** Something is not as the demo promises; `run` is where. */
class DemoError extends Error {
  readonly run: ProjectRun

  constructor(message: string, run: ProjectRun) {
    super(message)
    this.run = run
  }
}

const say = (...lines: string[]) => console.log(lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n'))
const heading = (text: string) => console.log(`\n${text}`)

const runTest = (project: Project, env: Record<string, string>): Promise<ProjectRun> =>
  project.run({ command: ['vitest', 'run', testFile, '-t', testTitle], env })

const record = async (project: Project): Promise<string> => {
  await using provider = await startFakeProvider({ replies })
  heading(`1 · Record the first run (${provider.url} stands for OpenAI)`)
  const env = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'demo-key-of-the-fake-provider' }
  const run = await runTest(project, env)
  const cassettes = Object.keys(run.files).filter((path) => path.endsWith('.cassette.json'))
  const [cassette] = cassettes
  if (run.exitCode !== 0) throw new DemoError('the recording test failed', run)
  if (cassette === undefined || cassettes.length > 1) throw new DemoError(`${cassettes.length} cassettes written`, run)

  say(`✓ ${testTitle}`, '', ...renderSteps(await loadTrace(join(project.folder, cassette))), '')
  say(`${provider.requests.length} live requests, recorded in ${cassette}`)
  return provider.url
}

const replay = async (project: Project, origin: string): Promise<void> => {
  heading('2 · Run it again: the provider is stopped and no key is set')
  const run = await runTest(project, { OPENAI_BASE_URL: `${origin}/v1` })
  if (run.exitCode !== 0) throw new DemoError('the replay failed', run)
  say(`✓ ${testTitle}`, '', 'The same model calls and tool results came from the cassette; nothing left the machine.')
}

const changePrompt = async (project: Project, origin: string): Promise<void> => {
  heading(`3 · Change one line of the prompt in ${agentFile} and run it again`)
  const before = (await project.files())[agentFile] ?? ''
  await project.write({ [agentFile]: before.replace(changed.before, changed.after) })
  const run = await runTest(project, { OPENAI_BASE_URL: `${origin}/v1` })
  if (run.exitCode !== 1) throw new DemoError('the changed prompt did not fail the test', run)
  const lines = excerptFailure(`${run.stdout}\n${run.stderr}`, 25)
  const shows = (sign: string, text: string) => lines.some((line) => line.trim() === `${sign} ${text}`)
  if (!shows('-', changed.before) || !shows('+', changed.after))
    throw new DemoError('the failure does not show the changed line as - and +', run)
  say(`✗ ${testTitle}`, '', ...lines)
}

try {
  console.log('retake: record an agent once, replay it in every later test run')
  await using project = await copyExample({ cassettes: false })
  const origin = await record(project)
  await replay(project, origin)
  await changePrompt(project, origin)
  heading('All three went as they should. Start with README.md, or read examples/refund-agent-vitest.')
} catch (error) {
  if (!(error instanceof DemoError)) throw error
  console.error(`\nThe demo failed: ${error.message}\n\n${error.run.stdout}\n${error.run.stderr}`)
  process.exitCode = 1
}
