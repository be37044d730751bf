import { compareCassettes } from '@retake/compare'
import { TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { renderMarkdownReport } from './markdown-report.ts'

const cassette = (text: string) => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_input', { messages: [{ role: 'user', content: text }], tools: [] }, 1)
  recorder.append('model_output', { type: 'final_answer', text }, 2)
  return { trace: recorder.toTrace(), format: 'v3' as const, test: { file: 'a.test.ts', name: 'a|b' }, extras: [] }
}

test('the name of a conversation leads to its cassette', () => {
  const pairs = [
    { file: 'a.cassette.json', before: cassette('ask'), after: cassette('other') },
    { file: 'b.cassette.json', before: cassette('gone') },
  ]
  const report = { ...compareCassettes(pairs), base: 'main', head: 'HEAD', broken: [] }
  const markdown = renderMarkdownReport(report, { linkTo: (file) => `https://example.com/${file}` })
  expect(markdown).toContain('| ~ | [`a\\|b`](https://example.com/a.cassette.json) |')
  expect(markdown).toContain('| − | `a\\|b` | gone |')
})

test('a bar has a backslash in a table only, where one would end the cell', () => {
  const pairs = [{ file: 'a.cassette.json', before: cassette('ask'), after: cassette('a|b') }]
  const lines = renderMarkdownReport({ ...compareCassettes(pairs), base: 'main', head: 'HEAD', broken: [] }).split('\n')
  expect(lines).toContain('| ~ | `a\\|b` | answers `a\\|b` | 1 |  |')
  expect(lines).toContain('**Cause:** `user` message `ask` → `a|b`')
})
