/** Texts of the kinds that agents exchange, the same ones for the same seed. */
export interface RandomTexts {
  /** From 0 to 1, without 1. */
  chance(): number
  oneOf<T>(items: readonly T[]): T
  word(): string
  sentence(length: number): string
  code(length: number): string
  /** Code with line numbers and an arrow, which is outside Latin-1. */
  listing(length: number): string
  records(length: number): object[]
}

const words =
  `account agent amount answer archive batch branch budget cache cancel change charge check client close column
  commit config copy count create credit customer date debit delay delete deliver draft error event export fetch field file
  filter find flag format group handle history import index invoice issue item join label level line link list load lock
  log mail match merge message method model move name note notify number object offer open order owner page parse path
  pause payment plan policy price print process profile project queue quote range rate read record refund region release
  render reply report request reset result retry return review role route rule run save schedule schema scope search
  section send server session settle share ship sort source start state status step stock store stream string submit
  sum table tag task tax team test thread ticket time token tool total track transfer type unit update upload user value
  verify version view wait warning watch window write zone`.split(/\s+/)

export function createRandomTexts(seed: number): RandomTexts {
  const chance = createChance(seed)
  const below = (limit: number) => Math.floor(chance() * limit)
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const word = () => oneOf(words)

  function grown(length: number, piece: () => string): string {
    let text = ''
    while (text.length < length) text += piece()
    return text.slice(0, length)
  }
  const sentence = (length: number) => grown(length, () => word() + (chance() < 0.1 ? oneOf(['. ', ', ', '; ']) : ' '))

  function code(length: number): string {
    let depth = 0
    return grown(length, () => {
      const indent = '  '.repeat(depth)
      const kind = chance()
      if (kind < 0.2) {
        depth = Math.min(depth + 1, 4)
        return `${indent}export async function ${word()}${below(99)}(${word()}: string) {\n`
      }
      if (kind < 0.35 && depth > 0) {
        depth--
        return `${'  '.repeat(depth)}}\n`
      }
      if (kind < 0.6)
        return `${indent}const ${word()} = await ${word()}.${word()}("${word()}", { ${word()}: ${below(999)} })\n`
      if (kind < 0.7) return `${indent}// ${sentence(40)}\n`
      return `${indent}if (${word()} !== '${word()}') throw new Error(\`${word()} \${${word()}}\`)\n`
    })
  }

  function listing(length: number): string {
    let line = 0
    return grown(length, () => `${String(++line).padStart(6)}→${code(60).split('\n', 1)[0]}\n`)
  }

  const record = () => ({
    id: `ord_${below(1e9)}`,
    status: oneOf(['paid', 'pending', 'refunded']),
    amountCents: below(1e5),
    customer: { name: sentence(14), email: `${word()}@example.com`, tags: [word(), word()] },
    note: sentence(40),
    createdAt: 1_756_448_402_000 + below(1e9),
    ratio: below(1e4) / 1e4,
  })

  function records(length: number): object[] {
    const all: object[] = []
    for (let size = 2; size < length; size += JSON.stringify(all.at(-1)).length + 1) all.push(record())
    return all
  }

  return { chance, oneOf, word, sentence, code, listing, records }
}

/** Mulberry32: small, and good enough to make texts. */
function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
