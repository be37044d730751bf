import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { main } from '@retake/cli'
import { refusals, telemetryHosts } from '@retake/providers'
import { createStyle } from '@retake/report'
import * as session from '@retake/session'
import * as trace from '@retake/trace'
import * as retake from 'retake'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFile(join(root, path), 'utf8')

const errorClasses = (exported: object) =>
  Object.values(exported).filter(
    (value) => typeof value === 'function' && value.prototype instanceof retake.RetakeError,
  ) as (new (
    message: string,
  ) => retake.RetakeError)[]

test('the package exports every error class', () => {
  expect(new Set(errorClasses(retake))).toEqual(new Set([...errorClasses(trace), ...errorClasses(session)]))
})

test('every error code has its heading in docs/errors.md, and no other has', async () => {
  const codes = errorClasses(retake).map((RetakeErrorClass) => new RetakeErrorClass('').code)
  const headings = [...(await read('docs/errors.md')).matchAll(/^## (\S+)$/gm)].map(([, heading]) => heading)
  expect(headings.toSorted()).toEqual(codes.toSorted())
})

test('docs/errors.md lists every name under which a request or reply is refused', async () => {
  const names = [...(await read('docs/errors.md')).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  expect(names).toEqual(Object.keys(refusals))
})

test('docs/http.md lists every telemetry host', async () => {
  const listed = [...(await read('docs/http.md')).matchAll(/^- `([^`]+)`$/gm)].map(([, host]) => host)
  expect(listed).toEqual(telemetryHosts)
})

test.each([
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/clients.md',
  'docs/features.md',
  'docs/format.md',
  'docs/formats.md',
  'docs/commands.md',
  'docs/http.md',
  'docs/jest.md',
  'docs/processes.md',
  'docs/pull-requests.md',
])('files that %s links to or names by path exist', async (page) => {
  const text = await read(page)
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => join(dirname(page), link))
  const named = [...text.matchAll(/`((?:packages|test|scripts|docs|examples)\/[\w./-]+)`/g)].map(([, path]) => path)
  // The build is no part of a checkout.
  const paths = [...links, ...named].filter((path) => path !== 'packages/retake/dist')
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !existsSync(join(root, path ?? '')))).toEqual([])
})

test('docs/commands.md has a heading for every command', async () => {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  await main(['--help'], {
    cwd: root,
    style: createStyle(),
    warnStyle: createStyle(),
    width: 100,
    write: print,
    print,
    warn: print,
  })
  const verbs = [...printed.join('\n').matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, verb]) => verb)
  const headings = [...(await read('docs/commands.md')).matchAll(/^## ([a-z]+)$/gm)].map(([, heading]) => heading)
  expect(headings.toSorted()).toEqual(verbs.toSorted())
})
