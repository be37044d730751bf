import type { JsonPath } from './json-path.ts'

/**
 * Why a text is no cassette, before the file name is known. It stays inside readers: `reportFaults` turns it into a
 * CassetteCorruptError.
 * `at` is an offset into the text, or the path of the member that is wrong (for one that is missing: of its owner).
 */
export class Fault extends Error {
  readonly at: number | JsonPath

  constructor(reason: string, at: number | JsonPath) {
    super(reason)
    this.at = at
  }
}
