import { ConfigError } from '@retake/trace'
import { verifyReadable } from '../check-readable.ts'
import type { ReadRun, RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'
import { readVcr } from './read-vcr.ts'

/** Recordings of VCR (Ruby) and vcrpy, as YAML or JSON. They are only read. */
export const vcr: RunFormat = {
  name: 'vcr',
  recognizes: (source) =>
    source.kind === 'file' &&
    (/^(http_)?interactions:\s*$/m.test(source.text.slice(0, 4096)) ||
      /^\s*\{\s*"(http_)?interactions"\s*:/.test(source.text)),
  read: readSource,
  verify: verifyReadable('vcr', readSource),
}

function readSource(source: RunSource): ReadRun {
  if (source.kind === 'folder') {
    throw new ConfigError(`${source.path} is a folder; \`retake import --from vcr\` takes one`, { path: source.path })
  }
  return readVcr(source.text, source.path)
}
