import { createHash } from 'node:crypto'
import { Fault } from '../fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { sha256 } from '../step-hash.ts'

const sumLength = 16

/** `sum` of a step that has none yet. */
export const stepSum = (step: object): string => sumOfText(JSON.stringify(step))

const sumOfText = (text: string): string => sha256(text).slice(0, sumLength)

/**
 * `seal` of a file that has none yet. Step by step, since printing and hashing one long text costs several times what
 * its parts cost.
 * @param printed the steps as compact JSON, where that is known
 */
export function fileSeal(file: object, printed?: readonly string[]): string {
  const hash = createHash('sha256').update('{')
  for (const [at, [name, value]] of Object.entries(file).entries()) {
    hash.update(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)
    if (name === 'steps' && Array.isArray(value)) {
      const texts = printed ?? value.map((step) => JSON.stringify(step))
      hash.update('[')
      for (const [index, text] of texts.entries()) hash.update(index === 0 ? text : `,${text}`)
      hash.update(']')
    } else hash.update(JSON.stringify(value))
  }
  return hash.update('}').digest('hex')
}

/** What does not match in a v3 file: the first step that was edited, or else the rest of the file. */
export function sealFault(file: JsonObject): Fault | undefined {
  const { seal, ...sealed } = file
  if (typeof seal !== 'string') return new Fault('seal is missing', [])
  const printed = stepsOf(file).map((step) => JSON.stringify(step))
  return editedStep(file, printed) ?? (seal === fileSeal(sealed, printed) ? undefined : new Fault(elsewhere, ['seal']))
}

/** The first step that does not match its sum. */
export const sumFault = (file: JsonObject): Fault | undefined =>
  editedStep(
    file,
    stepsOf(file).map((step) => JSON.stringify(step)),
  )

const stepsOf = ({ steps }: JsonObject): JsonValue[] => (Array.isArray(steps) ? steps : [])

/** Steps that are no objects are left to the reader. */
function editedStep(file: JsonObject, printed: readonly string[]): Fault | undefined {
  for (const [index, step] of stepsOf(file).entries()) {
    if (!isJsonObject(step) || step.sum === sumOf(step, printed[index] as string)) continue
    return new Fault(`step ${index} was edited: it does not match its sum`, ['steps', index])
  }
  return undefined
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
