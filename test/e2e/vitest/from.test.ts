import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const run = join(import.meta.dirname, '../../corpus/backspin/failed-call.backspin.jsonl')

test.each(['forks', 'vmThreads'])(
  'a test replays a run of another tool beside its file, and writes nothing: %s',
  async (pool) => {
    await using project = await createEchoProject({
      'runs/hi.log': await readFile(run, 'utf8'),
      'hi.test.ts': `import { expect, test } from 'vitest'
import OpenAI from 'openai'
import { expectCassette, useCassette } from 'retake/vitest'
const ask = (content: string) =>
  new OpenAI({ apiKey: 'no-key' }).chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] })
test('says hi', async () => {
  const cassette = useCassette({ from: './runs/hi.log' })
  await expect(ask('Say hi.')).rejects.toThrow('429')
  expect((await ask('Say hi.')).choices[0]?.message.content).toBe('Hi.')
  expectCassette(cassette).toHaveModelCalls(1)
  expectCassette(cassette).toBeVerified()
})
test('says bye', async () => {
  useCassette({ from: './runs/hi.log' })
  await ask('Say bye.').catch(() => undefined)
})
test('says nothing', () => {
  useCassette({ from: './runs/none.log' })
})
`,
    })
    const before = await project.files()
    const { exitCode, stdout, stderr } = await project.run({
      command: ['vitest', 'run', `--pool=${pool}`],
      env: { RETAKE: 'update' },
    })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('\n  Cassettes  2 failed | 1 replayed (3)\n')
    expect(stderr).toMatch(/FAIL {2}hi\.test\.ts > says bye\nCassetteMismatchError: request 1 /)
    // No update changes that file.
    expect(stderr).toContain('  On purpose?  Then name another file in `from`: retake never writes to this one.\n')
    expect(stderr).not.toContain('--update-cassettes')
    // What the system said is no place in our code.
    expect(stderr).toMatch(/FAIL {2}hi\.test\.ts > says nothing\nConfigError: the cassette cannot be read/)
    expect(stderr).not.toMatch(/packages\/|Serialized Error/)
    expect(await project.files()).toEqual(before)
  },
)
