import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type ReadRun, readChatJson, readClaudeCode, readVcr } from '@retake/formats'
import {
  type CassetteFile,
  type CassetteFormat,
  ConfigError,
  isKeyLike,
  isOrdinaryWord,
  readText,
  refuseAllSecrets,
  type SecretLiteral,
  saveCassette,
  UnsupportedError,
  verifyTrace,
} from '@retake/trace'

/** What can be imported, and the format it is written in: chat-json as the published converter writes it. */
export const importers = {
  'claude-code': { read: readClaudeCode, format: 'v3', extensions: /\.jsonl$/i },
  'chat-json': { read: readChatJson, format: 'v2', extensions: /\.json$/i },
  vcr: { read: readVcr, format: 'v3', extensions: /\.(ya?ml|json)$/i },
} as const satisfies Record<string, Importer>

export type ImportName = keyof typeof importers

interface Importer {
  read(text: string, path: string, id?: string): ReadRun & { keys?: SecretLiteral[] }
  format: CassetteFormat
  /** Of the files in a folder. */
  extensions: RegExp
}

export interface ImportJob {
  from: ImportName
  /** Absolute paths. */
  source: string
  target: string
  id: string | undefined
  format: CassetteFormat | undefined
  /** Replace a file that is there. */
  force: boolean
}

/**
 * Reads a recording of another tool and writes it as a cassette, whole or not at all.
 * @throws ConfigError where it cannot be read, or there is a file at the target
 * @throws CassetteCorruptError, UnsupportedError, SecretFoundError
 */
export async function importFile({ from, source, target, id, format, force }: ImportJob): Promise<ReadRun> {
  if (existsSync(target) && !force) {
    throw new ConfigError(`there is a file at ${target}; --force replaces it`, { path: target })
  }
  const importer: Importer = importers[from]
  const run = importer.read(readText(source), source, id)
  const { trace, extras, keys = [] } = run
  const file: CassetteFile =
    (format ?? importer.format) === 'v2' ? { trace, format: 'v2', extras: [] } : { trace, format: 'v3', extras }
  const literals = [...keys, ...keysOfEnvironment()].filter((key) => !isOrdinaryWord(textOf(key)))
  await refuseAllSecrets({ ...trace, extras: file.extras }, { literals }, `Replace it in ${source}, and import again.`)
  const failed = verifyTrace(trace).checks.find(({ status }) => status === 'fail')
  if (failed) {
    const { name, where, detail } = failed
    throw new UnsupportedError(`the run would not verify: ${name}${where ? ` at ${where}` : ''}: ${detail}`, {
      name: 'import that does not verify',
      check: name,
    })
  }
  saveCassette(file, target)
  return run
}

const textOf = (literal: SecretLiteral): string => (typeof literal === 'string' ? literal : literal.value).trim()

const keysOfEnvironment = (): SecretLiteral[] =>
  Object.entries(process.env).flatMap(([name, value = '']) =>
    isKeyLike(name) && !(isAbsolute(value.trim()) && existsSync(value.trim())) ? [{ name, value }] : [],
  )
