import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { postChat } from '../session/sdk-clients.ts'
import { chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Cells, Mode } from './play-all.ts'
import { playNeighbour } from './play-neighbour.ts'

let file: Awaited<ReturnType<typeof temporaryCassette>>

beforeAll(async () => {
  file = await temporaryCassette('hello')
  await using provider = await startFakeProvider({ replies: [chatJson({ content: 'hello' })] })
  await inTest(file.path, {}, () => postChat(provider.url))
})

afterAll(() => file[Symbol.asyncDispose]())

const modelClients = [
  'fetch',
  'openai, made before',
  'openai, made while it listens',
  'a captured fetch',
  'axios',
  'undici.request',
]
const modes: Mode[] = ['replaying', 'recording', 'without a cassette']
const phases: [name: string, modes: Mode[]][] = [
  ...['before', 'after'].flatMap((order) =>
    ['listening', 'closed', 'listening again'].map((phase): [string, Mode[]] => [`${order}, ${phase}`, modes]),
  ),
  ['after, opened in the test', ['replaying']],
  ['after, closed in the test', ['replaying']],
]

interface Expected {
  neighbour: string
  /** What a request gets that the library does not know, and lets nobody make. */
  refused: RegExp
  /** Cells that are otherwise than the library's users and retake's would like, by a part of their name. */
  otherwise?: [cell: RegExp, outcome: RegExp][]
}

const neighbours: Expected[] = [
  { neighbour: 'msw3', refused: /^error: \[MSW\] Cannot bypass a request/ },
  { neighbour: 'msw3-second-copy', refused: /^error: \[MSW\] Cannot bypass a request/ },
  {
    neighbour: 'msw2',
    refused: /^error: \[MSW\] Cannot bypass a request/,
    // It puts its own fetch over retake's, which is seen when the next cassette opens.
    otherwise: [[/opened in the test, replaying: (fetch|openai, made while)/, /^error: \[MSW\] Cannot bypass/]],
  },
  { neighbour: 'nock', refused: /ERR_NOCK_NO_MATCH|^error: Request failed with status code 501$/ },
  {
    neighbour: 'mock-agent',
    refused: /^error: Mock dispatch not matched/,
    otherwise: [
      // It sees the requests of undici only, and before retake where they are not made with the global fetch.
      [/(listening|again|opened).*URL, axios/, /^real/],
      [/(listening|again|opened).*(a captured fetch|undici\.request)/, /^error: Mock dispatch not matched/],
      [/(listening|again), recording: axios/, /^error: Request failed with status code 400$/],
      [/(listening|again), recording: (fetch|openai)/, /undici's MockAgent is the global dispatcher.*RETAKE_CONFIG/],
    ],
  },
]

for (const { neighbour, refused, otherwise = [] } of neighbours) {
  describe(neighbour, () => {
    let cells: Cells
    beforeAll(async () => {
      cells = await playNeighbour(neighbour, file.path)
    }, 60_000)

    const expectCell = (cell: string, outcome: RegExp) =>
      test(cell, () => {
        const [, other] = otherwise.find(([name]) => name.test(cell)) ?? []
        expect(cells[cell]).toMatch(other ?? outcome)
      })

    for (const [phase, modes] of phases) {
      const isClosed = phase.includes('closed')
      for (const mode of modes) {
        const outcome = mode === 'replaying' ? /^hello, replayed$/ : /^hello, recorded, 1 sent$/
        if (mode !== 'without a cassette') {
          for (const client of modelClients) expectCell(`${phase}, ${mode}: ${client}`, outcome)
        }
        for (const client of ['fetch', 'axios']) {
          expectCell(`${phase}, ${mode}: a mocked URL, ${client}`, isClosed ? /^real/ : /^mocked(, replayed)?$/)
          expectCell(`${phase}, ${mode}: another URL, ${client}`, isClosed ? /^real/ : refused)
        }
      }
    }
  })
}
