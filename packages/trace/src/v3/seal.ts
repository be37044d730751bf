import { createHash } from 'node:crypto'
import { Fault } from '../json/fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { sha256 } from '../step-hash.ts'

const sumLength = 16

/** `sum` of a step that has none yet. */
export const stepSum = (step: object): string => sumOfText(JSON.stringify(step))

const sumOfText = (text: string): string => sha256(text).slice(0, sumLength)

/** `seal` of a file that has none yet. */
export const fileSeal = (file: object): string => sealOf(file, () => {})

/** What does not match in a v3 file: the first step that was edited, or else the rest of the file. */
export function sealFault(file: JsonObject): Fault | undefined {
  const { seal, ...sealed } = file
  if (typeof seal !== 'string') return new Fault('seal is missing', [])
  let edited: Fault | undefined
  const found = sealOf(sealed, (step, index, text) => {
    edited ??= editFault(step, index, text)
  })
  return edited ?? (seal === found ? undefined : new Fault(elsewhere, ['seal']))
}

/** The first step that does not match its sum. */
export function sumFault({ steps }: JsonObject): Fault | undefined {
  const all: JsonValue[] = Array.isArray(steps) ? steps : []
  for (const [index, step] of all.entries()) {
    const fault = editFault(step, index, JSON.stringify(step))
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Step by step, since printing and hashing one long text costs several times what its parts cost.
 * @param visit gets each step with its compact JSON, which is then printed once only
 */
function sealOf(file: object, visit: (step: JsonValue, index: number, text: string) => void): string {
  const hash = createHash('sha256').update('{')
  for (const [at, [name, value]] of Object.entries(file).entries()) {
    hash.update(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)
    if (name === 'steps' && Array.isArray(value)) {
      hash.update('[')
      for (let index = 0; index < value.length; index++) {
        const text = JSON.stringify(value[index])
        if (index > 0) hash.update(',')
        hash.update(text)
        visit(value[index], index, text)
      }
      hash.update(']')
    } else hash.update(JSON.stringify(value))
  }
  return hash.update('}').digest('hex')
}

/** Steps that are no objects are left to the reader. */
function editFault(step: JsonValue, index: number, text: string): Fault | undefined {
  if (!isJsonObject(step) || step.sum === sumOf(step, text)) return undefined
  return new Fault(`step ${index} was edited: it does not match its sum`, ['steps', index])
}

/** The sum stands last, where retake writes it: then the text without it is the text before it. */
function sumOf(step: JsonObject, text: string): string {
  const end = `,"sum":${JSON.stringify(step.sum)}}`
  if (text.endsWith(end)) return sumOfText(`${text.slice(0, -end.length)}}`)
  const { sum: _, ...summed } = step
  return stepSum(summed)
}

const elsewhere =
  'it was edited: the steps match their sums, but their number or order, the header, the times or the extras do not match the seal'
