import { readFileSync } from 'node:fs'

/** Version of the package that this file is in: built into the published one, that is the version of retake. */
export const readVersion = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
