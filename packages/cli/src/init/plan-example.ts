import { globSync } from 'tinyglobby'
import type { Project } from './project.ts'
import type { Step } from './step.ts'

// What Vitest takes for tests by itself.
const testFiles = '**/*.{test,spec}.?(c|m)[jt]s?(x)'

/** A first test, for a project that has none. */
export const planExample = ({ folder, typescript }: Project): Step[] => {
  const title = 'a first test'
  if (globSync(testFiles, { cwd: folder, ignore: ['**/node_modules/**'] }).length > 0) return []
  const file = typescript ? 'greeting.test.ts' : 'greeting.test.mjs'
  return [{ kind: 'change', title, file, before: undefined, after: exampleOf(typescript) }]
}

const exampleOf = (typescript: boolean): string => `import { expectCassette, useCassette } from 'retake/vitest'
import { expect, test } from 'vitest'

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
