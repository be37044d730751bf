import { globSync } from 'tinyglobby'
import type { Project } from './project.ts'
import type { Step } from './step.ts'

// What Vitest and Jest take for tests by themselves.
const testFiles = {
  vitest: '**/*.{test,spec}.?(c|m)[jt]s?(x)',
  jest: ['**/*.{test,spec}.?(c|m)[jt]s?(x)', '**/__tests__/**/*.?(c|m)[jt]s?(x)'],
}

/** A first test, for a project that has none. */
export const planExample = (project: Project): Step[] => {
  const { folder, runner } = project
  if (globSync(testFiles[runner], { cwd: folder, ignore: ['**/node_modules/**'] }).length > 0) return []
  const example = runner === 'jest' ? jestExample(project) : vitestExample(project)
  return [{ kind: 'change', title: 'a first test', before: undefined, ...example }]
}

interface Example {
  file: string
  after: string
}

const vitestExample = ({ typescript }: Project): Example => ({
  file: typescript ? 'greeting.test.ts' : 'greeting.test.mjs',
  after: exampleOf(
    "import { expectCassette, useCassette } from 'retake/vitest'\nimport { expect, test } from 'vitest'",
    typescript,
  ),
})

/** What Jest runs with what is there: modules need a transform, or a package of modules. */
const jestExample = ({ manifest, dependsOn }: Project): Example => {
  const typescript = dependsOn('ts-jest')
  const head =
    typescript || manifest.type === 'module'
      ? "import { expectCassette, useCassette } from 'retake/jest'"
      : "const { expectCassette, useCassette } = require('retake/jest')"
  return { file: typescript ? 'greeting.test.ts' : 'greeting.test.js', after: exampleOf(head, typescript) }
}

const exampleOf = (head: string, typescript: boolean): string => `${head}

// In the place of your agent, which may use any client.
async function greet(${typescript ? 'name: string' : 'name'}) {
  const response = await fetch(\`\${process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1'}/chat/completions\`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: \`Bearer \${process.env.OPENAI_API_KEY}\` },
    body: JSON.stringify({
      model: 'gpt-5.5',
      messages: [
        { role: 'system', content: 'Greet the user by name, in one sentence.' },
        { role: 'user', content: \`I am \${name}.\` },
      ],
    }),
  })
  const { choices } = await response.json()
  return choices[0].message.content
}

// The first run needs OPENAI_API_KEY and records; every later one replays the cassette beside this file.
test('greets by name', async () => {
  const cassette = useCassette()
  expect(await greet('Ada')).toContain('Ada')
  expectCassette(cassette).toHaveModelCalls(1)
})
`
