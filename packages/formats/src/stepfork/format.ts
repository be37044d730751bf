import { lstatSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'
import { diffStepfork } from './diff-bundles.ts'
import { fromTrace } from './from-trace.ts'
import { loadStepfork } from './load-bundle.ts'
import { toTrace } from './to-trace.ts'
import { verifyStepfork } from './verify-bundle.ts'
import { toStepforkFiles } from './write-bundle.ts'

/** `.sftrace` folders of Stepfork, schema 0.1. */
export const stepfork: RunFormat = {
  name: 'stepfork',
  recognizes: isBundle,
  read: ({ path }) => toTrace(loadStepfork(path)),
  write(run) {
    const { bundle, lost } = fromTrace(run)
    const files = toStepforkFiles(bundle)
    return { files, lost: [...lost, ...redactionLosses(files)] }
  },
  verify: ({ path }, options) => verifyStepfork(path, options),
  diff: (first, second) => diffStepfork(loadStepfork(first.path), loadStepfork(second.path)),
}

/** By its two main files; one that has lost one of them, by its name. */
function isBundle(source: RunSource): boolean {
  if (source.kind !== 'folder') return false
  const holds = (file: string) => lstatSync(join(source.path, file), { throwIfNoEntry: false }) !== undefined
  return extname(source.path) === '.sftrace' || (holds('manifest.json') && holds('events.jsonl'))
}

function redactionLosses(files: ReadonlyMap<string, string>) {
  const { entries } = JSON.parse(files.get('redactions.json') ?? '{}') as {
    entries: { event_id: string; path: string }[]
  }
  return entries.map(({ event_id, path }) => ({
    where: `${event_id} ${path}`,
    what: 'is redacted, as it is or holds a secret',
  }))
}
