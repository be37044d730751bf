import { agentskit } from './agentskit/format.ts'
import { backspin } from './backspin/format.ts'
import { chatJson } from './chat-json/format.ts'
import { claudeCode } from './claude-code/format.ts'
import { retake } from './retake/format.ts'
import type { RunFormat } from './run-format.ts'
import { stepfork } from './stepfork/format.ts'
import { vcr } from './vcr/format.ts'

/** Every format that retake reads. The first that recognizes a file has it. */
export const knownFormats: readonly RunFormat[] = [retake, stepfork, backspin, agentskit, claudeCode, chatJson, vcr]
