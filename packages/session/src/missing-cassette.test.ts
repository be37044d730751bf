import { mkdtempSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { missingCassette } from './missing-cassette.ts'

const createFolder = async (...files: string[]) => {
  const root = mkdtempSync(join(tmpdir(), 'retake-missing-'))
  const at = (path: string) => join(root, path)
  for (const file of files) {
    await mkdir(dirname(at(file)), { recursive: true })
    await writeFile(at(file), '')
  }
  const explain = (more: object = {}) =>
    missingCassette({
      name: 'refunds-a-late-order',
      path: at('__cassettes__/refund.test.ts/refunds-a-late-order.cassette.json'),
      mode: 'replay',
      ci: true,
      test: { file: at('refund.test.ts'), name: 'refunds a late order' },
      ...more,
    })
  const shown = (path: string) => relative(process.cwd(), at(path))
  return { at, explain, shown }
}

test('it says where the cassette was expected and how to record it', async () => {
  const { explain, shown } = await createFolder('refund.test.ts')
  expect(explain().message).toBe(`no cassette for "refunds a late order", and recording is off because this is CI
  expected  ${shown('__cassettes__/refund.test.ts/refunds-a-late-order.cassette.json')}

  Record it on your machine and commit the file:  npx vitest run ${shown('refund.test.ts')}`)
  expect(explain({ again: 'npx retake jest refund.test.ts --update-cassettes', ci: false }).message).toMatch(
    /in replay mode[\s\S]*commit the file: {2}npx retake jest refund\.test\.ts$/,
  )
})

test('a cassette of nearly this name, which no other test has, is the closest', async () => {
  const old = '__cassettes__/refund.test.ts/refunds-late-order.cassette.json'
  const { at, explain, shown } = await createFolder(
    'refund.test.ts',
    old,
    '__cassettes__/refund.test.ts/refunds-a-late-orde.cassette.json',
    '__cassettes__/refund.test.ts/something-else.cassette.json',
  )
  const others = () => [at('__cassettes__/refund.test.ts/refunds-a-late-orde.cassette.json')]
  const { message, details } = explain({ others })
  expect(details.closest).toBe(at(old))
  expect(message).toContain(`  closest   ${shown(old)}\n`)
  expect(message).toContain(`  Did the test get another name?  npx retake mv ${shown(old)} `)
  expect(explain({ others: () => [...others(), at(old)] }).details.closest).toBeUndefined()
  // Nobody knows which are used.
  expect(explain().details.closest).toBeUndefined()
})

test('a test file that was moved left its cassettes behind', async () => {
  const old = '__cassettes__/pay-back.test.ts/refunds-a-late-order.cassette.json'
  const { at, explain } = await createFolder('refund.test.ts', old)
  expect(explain().details.closest).toBe(at(old))
  await writeFile(at('pay-back.test.ts'), '')
  expect(explain().details.closest).toBeUndefined()
})
