import * as gatewayFields from '../../packages/providers/src/ai-gateway/fields.ts'
import * as anthropicFields from '../../packages/providers/src/anthropic-messages/fields.ts'
import * as anthropicReply from '../../packages/providers/src/anthropic-messages/reply-members.ts'
import * as converseFields from '../../packages/providers/src/bedrock-converse/fields.ts'
import * as geminiFields from '../../packages/providers/src/gemini/fields.ts'
import * as geminiReply from '../../packages/providers/src/gemini/reply-members.ts'
import * as ollamaFields from '../../packages/providers/src/ollama/fields.ts'
import * as chatFields from '../../packages/providers/src/openai-chat/fields.ts'
import * as chatReply from '../../packages/providers/src/openai-chat/reply-members.ts'
import * as responsesFields from '../../packages/providers/src/openai-responses/fields.ts'
import * as responsesReply from '../../packages/providers/src/openai-responses/reply-members.ts'
import type { ReplyMembers } from '../../packages/providers/src/reply-members.ts'
import type { RequestFields } from '../../packages/providers/src/request-fields.ts'
import { refusals } from '../../packages/providers/src/unsupported.ts'

interface Api {
  title: string
  /** Names of the wires that read it. */
  wires: readonly string[]
  request: RequestFields
  reply?: Readonly<Record<string, ReplyMembers>>
}

/** Every API that a wire speaks, with the tables its code goes by. */
export const apis: readonly Api[] = [
  {
    title: 'OpenAI Chat Completions',
    wires: ['openai.chat'],
    request: chatFields.requestFields,
    reply: { reply: chatReply.replyMembers, choice: chatReply.choiceMembers, message: chatReply.messageMembers },
  },
  {
    title: 'OpenAI Responses',
    wires: ['openai.responses'],
    request: responsesFields.requestFields,
    reply: {
      response: responsesReply.replyMembers,
      item: responsesReply.itemMembers,
      'part of a message': responsesReply.contentMembers,
    },
  },
  {
    title: 'Anthropic Messages',
    wires: ['anthropic.messages', 'anthropic.vertex', 'anthropic.bedrock'],
    request: anthropicFields.requestFields,
    reply: { message: anthropicReply.messageMembers, block: anthropicReply.blockMembers },
  },
  {
    title: 'Gemini generateContent',
    wires: ['gemini.generate-content'],
    request: geminiFields.requestFields,
    reply: {
      response: geminiReply.replyMembers,
      candidate: geminiReply.candidateMembers,
      part: geminiReply.partMembers,
    },
  },
  { title: 'Ollama chat', wires: ['ollama.chat'], request: ollamaFields.requestFields },
  { title: 'Bedrock Converse', wires: ['bedrock.converse'], request: converseFields.requestFields },
  { title: 'Vercel AI Gateway', wires: ['ai-gateway.language-model'], request: gatewayFields.requestFields },
]

const code = (name: string): string => `\`${name}\``

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

const ofRequest = ({ read, compared, ignored, refused }: RequestFields): string[] =>
  table(
    ['field', 'what becomes of it'],
    [
      ...read.map((name) => [code(name), 'recorded and compared']),
      ...Object.entries(compared).map(([name, neutral]) => [
        code(name),
        `recorded and compared as ${code(`params.${neutral}`)}`,
      ]),
      ...ignored.map((name) => [code(name), 'ignored']),
      ...Object.entries(refused).map(([name, refusal]) => [code(name), `refused: ${refusal}`]),
    ],
  )

const ofReply = (levels: Readonly<Record<string, ReplyMembers>>): string[] =>
  table(
    ['in a', 'recorded', 'ignored', 'refused'],
    Object.entries(levels).map(([level, { read, ignored, refused }]) => [
      level,
      read.map(code).join(' '),
      ignored.map(code).join(' '),
      Object.entries(refused)
        .map(([name, refusal]) => `${code(name)} (${refusal})`)
        .join(', '),
    ]),
  )

const head = `# Features

What becomes of every feature of the APIs that retake speaks. Written by \`npm run features\` from the tables the code goes by; do not edit.

- **recorded and compared**: it changes what a model does. Another value is another request, and the message names its path.
- **ignored**: it changes no answer: ids, transport, accounting, caching.
- **refused**: a replay could not give it back. Recording stops with [RETAKE_UNSUPPORTED](errors.md#retake_unsupported), which names the field, says why, and what to do instead.
- A field of a request that stands in no table is kept as it is under \`params.other\` and compared. A member of a reply that stands in no table is kept as it is, and comes back.

Members of replies named *recorded* come back in the replay with the same value, but for ids and times, which are new. Reasoning is recorded and shown again; in the history of a later request it is not compared.
`

export const renderFeatures = (): string =>
  [
    head,
    ...apis.flatMap(({ title, wires, request, reply }) => [
      `## ${title}`,
      '',
      `Wires: ${wires.map(code).join(', ')}`,
      '',
      '### Requests',
      '',
      ...ofRequest(request),
      '',
      ...(reply ? ['### Replies', '', ...ofReply(reply), ''] : []),
    ]),
    '## What is refused',
    '',
    ...table(
      ['name', 'instead'],
      Object.entries(refusals).map(([name, instead]) => [code(name), instead]),
    ),
    '',
  ].join('\n')
