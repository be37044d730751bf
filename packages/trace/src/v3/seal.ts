import { createHash } from 'node:crypto'
import { Fault } from '../fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { sha256 } from '../step-hash.ts'

const sumLength = 16

/** `sum` of a step that has none yet. */
export const stepSum = (step: object): string => sha256(JSON.stringify(step)).slice(0, sumLength)

/**
 * `seal` of a file that has none yet. Step by step, since printing and hashing one long text costs several times what
 * its parts cost.
 */
export function fileSeal(file: object): string {
  const hash = createHash('sha256').update('{')
  for (const [at, [name, value]] of Object.entries(file).entries()) {
    hash.update(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)
    if (name === 'steps' && Array.isArray(value)) {
      hash.update('[')
      for (const [index, step] of value.entries()) hash.update((index === 0 ? '' : ',') + JSON.stringify(step))
      hash.update(']')
    } else hash.update(JSON.stringify(value))
  }
  return hash.update('}').digest('hex')
}

/** What does not match in a v3 file: the first step that was edited, or else the rest of the file. */
export function sealFault(file: JsonObject): Fault | undefined {
  const { seal, ...sealed } = file
  if (typeof seal !== 'string') return new Fault('seal is missing', [])
  return sumFault(file) ?? (seal === fileSeal(sealed) ? undefined : new Fault(elsewhere, ['seal']))
}

/** The first step that does not match its sum. Steps that are no objects are left to the reader. */
export function sumFault({ steps }: JsonObject): Fault | undefined {
  const all: JsonValue[] = Array.isArray(steps) ? steps : []
  for (const [index, step] of all.entries()) {
    if (!isJsonObject(step)) continue
    const { sum, ...summed } = step
    if (sum === stepSum(summed)) continue
    return new Fault(`step ${index} was edited: it does not match its sum`, ['steps', index])
  }
  return undefined
}

const elsewhere =
  'it was edited: the steps match their sums, but their number or order, the header, the times or the extras do not match the seal'
