import { join } from 'node:path'
import { verifyFile } from '@retake/trace'
import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import type { ModelProject } from '../../support/model-project.ts'

const agentTest = (end: string) => `import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks', async () => {
  useCassette()
  await ask('Hello')
  if (process.env.RETAKE === 'update') {
    await ask('Again')
    ${end}
  }
})
`

/** Ends the run when the provider was asked a question that contains `word`. */
const killWhenAsked = ({ provider }: ModelProject, word: string): { signal: AbortSignal; [Symbol.dispose](): void } => {
  const kill = new AbortController()
  const watch = setInterval(() => {
    if (provider.requests.some(({ text }) => text.includes(word))) kill.abort()
  }, 10)
  return { signal: kill.signal, [Symbol.dispose]: () => clearInterval(watch) }
}

test('a first recording that is killed leaves nothing behind', async () => {
  await using project = await createEchoProject({ 'slow.test.ts': agentTest('') })
  const before = await project.files()
  await project.write({ 'slow.test.ts': agentTest(`await ask('Take your time')`) })
  using kill = killWhenAsked(project, 'Take your time')
  const { exitCode } = await project.run({ env: { RETAKE: 'update' }, signal: kill.signal })
  expect(exitCode).toBe(null)
  expect(Object.keys(await project.files())).toEqual(Object.keys(before))
})

const ends = {
  exits: 'process.exit(0)',
  throws: `throw new Error('no')`,
  'throws-later': `setTimeout(() => { throw new Error('late') }, 5); await new Promise((done) => setTimeout(done, 50))`,
  'rejects-later': `Promise.reject(new Error('late')); await new Promise((done) => setTimeout(done, 50))`,
  hangs: 'await new Promise(() => {})',
}

test('an update whose test breaks off leaves the file as it was, or is whole', async () => {
  await using project = await createEchoProject({
    ...Object.fromEntries(Object.entries(ends).map(([name, end]) => [`${name}.test.ts`, agentTest(end)])),
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake()], test: { testTimeout: 8000 } }
`,
  })
  expect((await project.run()).stdout).toContain('Cassettes  5 recorded')
  const before = await project.cassettes()
  const { exitCode } = await project.run({ env: { RETAKE: 'update' } })
  expect(exitCode).toBe(1)
  const after = await project.cassettes()
  expect(Object.keys(after)).toEqual(Object.keys(before))
  for (const [path, text] of Object.entries(after)) {
    expect(verifyFile(join(project.folder, '__cassettes__', path)).pass).toBe(true)
    // Vitest calls a test passed whose timer threw, and fails the run; its recording is complete then.
    if (path.includes('-later')) continue
    expect(text).toBe(before[path])
  }
})

test('a run that is killed while it writes leaves the old file', async () => {
  await using project = await createEchoProject({
    'agent.test.ts': agentTest(''),
    'kill.cjs': `const fs = require('node:fs')
const { renameSync } = fs
fs.renameSync = (from, to) => {
  if (String(to).endsWith('.cassette.json')) process.kill(process.pid, 'SIGKILL')
  return renameSync(from, to)
}
`,
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake()], test: { pool: 'forks' } }
`,
  })
  await project.run()
  const before = await project.cassettes()
  const { exitCode } = await project.run({
    env: { RETAKE: 'update', NODE_OPTIONS: `--require=${project.folder}/kill.cjs` },
  })
  expect(exitCode).not.toBe(0)
  const after = await project.cassettes()
  const [path = ''] = Object.keys(before)
  expect(after[path]).toBe(before[path])
  // What was being written has another name, so that nothing takes it for a cassette.
  expect(Object.keys(after).filter((name) => name.endsWith('.cassette.json'))).toEqual([path])
})
