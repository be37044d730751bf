import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { copyJestExample, examples, jestExamples } from './example-project.ts'
import { replies } from './shop-model.ts'

// Records the cassettes that are committed with the examples for Jest, where they differ from what their agents do now.
await using provider = await startFakeProvider({ replies })
const key = 'key-of-the-fake-provider'
const env = {
  RETAKE: 'update',
  OPENAI_BASE_URL: `${provider.url}/v1`,
  OPENAI_API_KEY: key,
  ANTHROPIC_BASE_URL: provider.url,
  ANTHROPIC_API_KEY: key,
}
for (const name of jestExamples) {
  await using project = await copyJestExample(name)
  const { exitCode, stderr, files } = await project.run({ env })
  console.log(stderr)
  if (exitCode !== 0) process.exitCode = 1
  for (const [path, text] of Object.entries(files).filter(([path]) => path.endsWith('.cassette.json'))) {
    const target = join(examples, name, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  }
}
