/** A text that holds a key in one of the forms that vendors publish, and which: `github token`. */
export interface PublishedKey {
  text: string
  kind: string
}

export interface LabelledText {
  text: string
  /** The name it stands under, which tells some keys from other text. */
  label: string
}

/**
 * Searches texts with secretlint's recommended rules. Loads them on first use. A `secretlint-disable` in a text means
 * nothing here: the text is the agent's, not the author's.
 */
export async function findPublishedKeys(texts: readonly LabelledText[]): Promise<PublishedKey[]> {
  linter ??= loadLinter()
  const lint = await linter
  const found: PublishedKey[] = []
  for (const batch of inBatches(texts)) {
    const { content, spans } = joined(batch)
    for (const { start, end, kind } of await lint(content)) {
      const span = spans.find((candidate) => start < candidate.end)
      if (span === undefined || found.some((known) => known.text === span.text && known.kind === kind)) continue
      const [from, to] = [start - span.start, end - span.start]
      if (!isInBlob(span.text, from, to)) found.push({ text: span.text, kind })
    }
  }
  return found
}

interface Finding {
  start: number
  end: number
  kind: string
}

type Lint = (content: string) => Promise<Finding[]>

let linter: Promise<Lint> | undefined

async function loadLinter(): Promise<Lint> {
  const [{ secretLintProfiler }, { lintSource }, { rules }] = await Promise.all([
    import('@secretlint/profiler'),
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  // It would leave its marks in the performance timeline of the process under test.
  secretLintProfiler.setEnabled(false)
  const used = rules
    .filter(({ meta }) => !meta.id.endsWith('-filter-comments'))
    .map((rule) => ({ id: rule.meta.id, rule }))
  return async (content) => {
    const { messages } = await lintSource({
      source: { content, filePath: 'cassette.txt', ext: '.txt', contentType: 'text' },
      options: { noPhysicFilePath: true, config: { rules: used } },
    })
    return messages.map(({ range: [start, end], messageId }) => ({ start, end, kind: kindOf(messageId) }))
  }
}

/** `GITHUB_TOKEN`, `PrivateKey` → `github token`, `private key`. */
const kindOf = (messageId: string): string =>
  messageId
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
    .replaceAll('_', ' ')
    .toLowerCase()

const batchSize = 1 << 20

function* inBatches(texts: readonly LabelledText[]): Iterable<LabelledText[]> {
  let batch: LabelledText[] = []
  let size = 0
  for (const text of texts) {
    batch.push(text)
    size += text.text.length
    if (size < batchSize) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** One document of all texts. Their labels stand between them, so that no key spans two. */
function joined(texts: readonly LabelledText[]): {
  content: string
  spans: { text: string; start: number; end: number }[]
} {
  let content = ''
  const spans = texts.map(({ text, label }) => {
    content += `\n\n${label}: `
    const start = content.length
    content += text
    return { text, start, end: content.length }
  })
  return { content, spans }
}

/** A form that comes up by chance inside a long run of base64 or hex is no key: keys are tokens of their own. */
function isInBlob(text: string, from: number, to: number): boolean {
  const isRun = (at: number) => /[\w+/=-]/.test(text.charAt(at))
  let start = Math.max(from, 0)
  let end = to
  while (start > 0 && isRun(start - 1)) start--
  while (end < text.length && isRun(end)) end++
  return end - start > Math.max(512, 4 * (to - from))
}
