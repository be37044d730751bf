import { expect, test } from 'vitest'
import { agentProgramOf } from './agent-programs.ts'

test.each<[string, string[], string | undefined]>([
  ['claude', ['claude', '-p', 'hello'], 'claude'],
  ['/usr/local/bin/codex', ['codex', 'exec', 'hello'], 'codex'],
  ['C:\\tools\\gemini.cmd', ['gemini.cmd'], 'gemini'],
  ['/usr/bin/node', ['node', '/app/node_modules/@anthropic-ai/claude-agent-sdk/cli.js', '--print'], 'claude'],
  ['/app/node_modules/@openai/codex/vendor/codex', ['codex'], 'codex'],
  ['/bin/sh', ['/bin/sh', '-c', 'claude -p "hello"'], 'claude'],
  ['cmd.exe', ['cmd.exe', '/d', '/s', '/c', '"gemini -p hello"'], 'gemini'],
  ['/bin/sh', ['/bin/sh', '-c', 'echo claude'], undefined],
  ['git', ['git', 'log', 'claude'], undefined],
  ['/usr/bin/node', ['node', '/app/claude-notes.js'], undefined],
])('%s %j is %s', (file, args, name) => {
  expect(agentProgramOf(file, args)).toBe(name)
})
