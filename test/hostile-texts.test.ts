import { type CassettePair, compareCassettes } from '@retake/compare'
import { createStyle, renderChangeOverview, renderMarkdownReport } from '@retake/report'
import { TraceRecorder } from '@retake/trace'
import { type Node, Parser } from 'commonmark'
import { expect, test } from 'vitest'

/** Texts that terminals, Markdown, HTML or GitHub would act on. */
const hostile = [
  '<script>alert(1)</script>',
  '</details><img src=x onerror=alert(1)>',
  '@everyone and @octocat, see #1, GH-2, org/repo#3',
  '\u001b[2J\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007',
  '\u202Eflow\u202C \u2066x\u2069 \u200b',
  '``` \n````\n`````` `a` ``b``',
  '~~~\n# heading\n- list\n> quote\n\n---',
  '| a | b |\n|---|---|\n',
  '[x](javascript:alert(1)) ![y](https://evil.example/p.png) <https://evil.example>',
  'www.evil.example https://evil.example a@b.example',
  '\\`</code>`\\\\',
  '<!-- retake:summary --> -->',
  '&lt;b&gt; &#64;everyone',
  '\r\n\rCR \u2028 \u2029 \u0085 \u0000',
  'a'.repeat(3_000),
  '',
  ' ',
  '`',
  '\ud800',
]

const play = (text: string, other: boolean) => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const say = (word: string) => `${word}${text}${other ? '!' : ''}`
  const call = { toolCallId: 'call-0', toolName: say('t'), toolInput: { [say('k')]: say('v'), n: other ? 1 : 2 } }
  const request = {
    messages: [{ role: 'user', content: say('u') }],
    tools: [{ name: text, description: say('d') }],
    systemPrompt: say('s'),
    model: say('m'),
    params: { temperature: other ? 1 : 0, other: { [text]: say('p') } },
  }
  recorder.append('model_input', request, 0)
  recorder.append('metadata', { event: 'model_error', status: 429, kind: say('k'), message: say('e') }, 0)
  recorder.append('model_output', { type: 'tool_calls', text: say('b'), calls: [call] }, 0)
  recorder.append('tool_call', call, 0)
  recorder.append('tool_result', { toolCallId: 'call-0', toolName: call.toolName, error: say('r') }, 0)
  recorder.append('model_input', { ...request, messages: [...request.messages, { role: 'user', content: text }] }, 0)
  recorder.append('model_output', { type: 'final_answer', text: say('a'), stop: 'sequence', stopText: say('x') }, 0)
  recorder.append('metadata', { event: 'run_failed', status: 'error', reason: say('f'), message: say('g') }, 0)
  const test = { file: text, name: text }
  return { trace: recorder.toTrace(), format: 'v3' as const, test, extras: [] }
}

const toReport = (texts: string[]) => {
  const short = (text: string) => text.slice(0, 4_000)
  const pairs = texts.flatMap((text, nth): CassettePair[] => [
    { file: `${nth}${short(text)}`, from: short(text), before: play(text, false), after: play(text, true) },
    { file: short(text), after: play(text, true) },
  ])
  const broken = texts.map((text) => ({ file: short(text), problem: short(text) }))
  return { ...compareCassettes(pairs), base: short(texts[0] ?? ''), head: '@head', broken }
}

const nodesOf = (markdown: string): Node[] => {
  const walker = new Parser().parse(markdown).walker()
  const nodes: Node[] = []
  for (let event = walker.next(); event; event = walker.next()) if (event.entering) nodes.push(event.node)
  return nodes
}

const ours = [
  /^<!-- retake:summary(:[\w./@-]+)? -->$/,
  /^<details><summary>([^<>]*|<code>[^<>]*<\/code>)<\/summary>$/,
  /^<\/details>$/,
  /^<br>$/,
]

test.each(hostile.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
  '%s means nothing in Markdown',
  (_, text) => {
    const markdown = renderMarkdownReport(toReport([text]), { id: text })
    const nodes = nodesOf(markdown)
    for (const { type, literal } of nodes) {
      expect(
        ['link', 'image', 'html_block', 'html_inline'].includes(type) && !ours.some((html) => html.test(literal ?? ''))
          ? literal
          : '',
      ).toBe('')
      // GitHub looks for these in texts, not in code.
      if (type === 'text') expect(literal).not.toMatch(/@\w|#\d|GH-\d|www\.|:\/\//)
    }
    expect(nodes.filter(({ type }) => type === 'heading')).toHaveLength(1)
    expect(nodes.some(({ type }) => type === 'list' || type === 'block_quote' || type === 'thematic_break')).toBe(true)
    // Between tags HTML means something, and mentions too.
    for (const [, name = ''] of markdown.matchAll(/<summary>(.*?)<\/summary>/g)) {
      expect(name.startsWith('<code>') || !/[<&@#]/.test(name)).toBe(true)
    }
  },
)

test('every line of a table has its five cells', () => {
  const markdown = renderMarkdownReport(toReport(hostile))
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
  expect(rows.length).toBeGreaterThan(hostile.length)
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(7)
})

test('nothing of it acts on a terminal or hides', () => {
  const report = toReport(hostile)
  const texts = [renderMarkdownReport(report), renderChangeOverview(report, { style: createStyle() })]
  for (const text of texts) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
})

test('a comment is never longer than GitHub takes', () => {
  const many = Array.from({ length: 400 }, (_, nth) => `${hostile[nth % hostile.length]}${nth}`)
  const markdown = renderMarkdownReport(toReport(many))
  expect(markdown.length).toBeLessThan(60_000)
  expect(markdown).toMatch(/… \d+ more conversations: no room here/)
  expect(markdown).toMatch(/· .* → `@head`\n$/)
})

const playLong = (text: string, other: boolean) => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const end = other ? ' other' : ''
  recorder.append(
    'model_input',
    { messages: [{ role: 'user', content: text }], tools: [], systemPrompt: text + end },
    0,
  )
  const calls = [{ toolCallId: 'call-0', toolName: 'write', toolInput: { file: end, content: text } }]
  recorder.append('model_output', { type: 'tool_calls', calls }, 0)
  recorder.append('model_output', { type: 'final_answer', text: end + text }, 0)
  return { trace: recorder.toTrace(), format: 'v3' as const, extras: [] }
}

test.each([
  ['one line', 'x'.repeat(5_000_000)],
  ['many lines', 'line\n'.repeat(1_000_000)],
  ['words', 'a b '.repeat(1_250_000)],
])('texts of 5 MB in %s are shown, and no more of them than a page', (_, text) => {
  const pair = { file: 'a', before: playLong(text, false), after: playLong(text, true) }
  const report = { ...compareCassettes([pair]), base: 'a', head: 'b', broken: [] }
  const markdown = renderMarkdownReport(report)
  expect(markdown.length).toBeLessThan(10_000)
  expect(markdown).toContain('system prompt')
  expect(renderChangeOverview(report, { style: createStyle({ colors: true }) }).length).toBeLessThan(10_000)
})
