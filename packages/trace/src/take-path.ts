import { sha256 } from './step-hash.ts'

/** A recording that waits beside a cassette to be accepted: the file that accepting it puts in the cassette's place. */
export interface TakePlace {
  /** Path of the cassette it would replace. */
  cassette: string
  /** `cassetteHash` of the text it was recorded to replace. */
  base: string
}

const cassetteEnd = '.cassette.json'
const takeEnd = '.take.json'
const hashLength = 16

/** What a take knows of its cassette: 16 hex digits of the SHA-256 of its text, line ends of a checkout aside. */
export const cassetteHash = (text: string): string => sha256(text.replaceAll('\r\n', '\n')).slice(0, hashLength)

/** `refund.cassette.json` with this hash → `refund.<hash>.take.json` */
export const takePath = ({ cassette, base }: TakePlace): string =>
  `${cassette.slice(0, -cassetteEnd.length)}.${base}${takeEnd}`

/** The place that the path of a take tells; undefined for a path that is none. */
export const parseTakePath = (path: string): TakePlace | undefined => {
  const [, name, base] = /^(.*[^/\\])\.([0-9a-f]{16})\.take\.json$/s.exec(path) ?? []
  return name !== undefined && base !== undefined ? { cassette: name + cassetteEnd, base } : undefined
}
