import { describe, expect, test } from 'vitest'
import { createJestEchoProject, type JestKind, kindsOr } from '../../support/jest-project.ts'

const offline = { MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' }
const cassette = '__cassettes__/hello.test.js/says-hello.cassette.json'

const imports = (format: JestKind['format']) =>
  format === 'esm'
    ? `import 'retake/matchers'\nimport { expectCassette, useCassette } from 'retake/jest'\nimport { ask } from './agent.js'\n`
    : `require('retake/matchers')\nconst { expectCassette, useCassette } = require('retake/jest')\nconst { ask } = require('./agent.js')\n`

const tests = `test('says hello', async () => {
  const cassette = useCassette()
  expect(await ask(process.env.QUESTION ?? 'Hello')).toContain('really?')
  expectCassette(cassette).toHaveModelCalls(1)
  expect(cassette).toHaveFinalAnswer(/really/)
  expect(cassette).not.toHaveCalledTool('lookup')
  expect(cassette.name).toMatchSnapshot()
})
test('uses none', () => {})
`

describe.each(kindsOr({ jest: 29, format: 'esm' }, { jest: 30, format: 'cjs' }))('Jest $jest, $format', (kind) => {
  test('records, replays, and says what differs', async () => {
    await using project = await createJestEchoProject(kind, { 'hello.test.js': imports(kind.format) + tests })
    const first = await project.run()
    expect(first).toMatchObject({ exitCode: 0, stdout: '' })
    expect(first.stderr).toContain(
      `\nCassettes:   1 recorded, 1 total\n             ↳ recorded  ${cassette}\nLive:        1 call`,
    )
    const recorded = await project.files()
    expect(recorded[cassette]).toContain('"name": "says hello"')

    const second = await project.run({ env: offline })
    expect(second).toMatchObject({ exitCode: 0, files: recorded })
    expect(second.stderr).toContain('\nCassettes:   1 replayed, 1 total\n')

    const third = await project.run({ env: { QUESTION: 'Bye' } })
    expect(third).toMatchObject({ exitCode: 1, files: recorded })
    expect(third.stderr).toContain('● says hello\n\n    CassetteMismatchError: request 1 of 1 differs')
    expect(third.stderr).toContain('- 1 user       Hello\n        + 1 user       Bye\n')
    expect(third.stderr).toContain('npx retake jest hello.test.js --update-cassettes')
    expect(third.stderr).toMatch(/^ +> \d+ \| .*client\.chat\.completions\.create/m)
    expect(third.stderr).toMatch(/Cause:\n +BadRequestError: 400 \[retake\] as above/)
    expect(third.stderr).toContain('\nCassettes:   1 failed, 1 total\n')
  })
})
