import { Fault } from '../fault.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { sha256 } from '../step-hash.ts'

/** Digest of a value as JSON prints it, members in the order they stand. */
const digest = (value: object): string => sha256(JSON.stringify(value))

/** `sum` of a step that has none yet. */
export const stepSum = (step: object): string => digest(step).slice(0, 16)

/** `seal` of a file that has none yet. */
export const fileSeal = (file: object): string => digest(file)

/**
 * What does not match in a v3 file: the first step that was edited, or else the rest of the file. Steps that are no
 * objects are left to the reader.
 */
export function sealFault(file: JsonObject): Fault | undefined {
  const { seal, ...sealed } = file
  if (typeof seal !== 'string') return new Fault('seal is missing', [])
  return sumFault(file) ?? (seal === fileSeal(sealed) ? undefined : new Fault(elsewhere, ['seal']))
}

/** The first step that does not match its sum. */
export function sumFault({ steps }: JsonObject): Fault | undefined {
  if (!Array.isArray(steps)) return undefined
  for (const [index, step] of steps.entries()) {
    if (!isJsonObject(step)) continue
    const { sum, ...summed } = step
    if (sum !== stepSum(summed))
      return new Fault(`step ${index} was edited: it does not match its sum`, ['steps', index])
  }
  return undefined
}

const elsewhere =
  'it was edited: the steps match their sums, but their number or order, the header, the times or the extras do not match the seal'
