import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { stepTypes } from '../trace-shape.ts'
import { fail, onlyMembers, type Place, within } from './stored-value.ts'
import { type V3File, v3Version } from './v3-file.ts'

type Accepts = (value: JsonValue) => boolean

const isText: Accepts = (value) => typeof value === 'string'
const isWhole: Accepts = (value) => Number.isSafeInteger(value)
const areDistinct = (values: JsonValue[]): boolean => new Set(values).size === values.length

interface Members {
  names: string[]
  all: { name: string; isOptional: boolean; accepts: Accepts }[]
}

/** A `?` marks members that need not be there. */
function toMembers(accepted: Record<string, Accepts>): Members {
  const all = Object.entries(accepted).map(([name, accepts]) => ({
    name: name.replace('?', ''),
    isOptional: name.endsWith('?'),
    accepts,
  }))
  return { names: all.map(({ name }) => name), all }
}

const fileMembers = toMembers({
  version: (value) => value === v3Version,
  'test?': isJsonObject,
  id: isText,
  'parentId?': isText,
  'forkedFromStepId?': isText,
  createdAt: isWhole,
  steps: Array.isArray,
  at: (value) => Array.isArray(value) && value.every(isWhole),
  'extras?': Array.isArray,
  seal: isText,
})

const testMembers = toMembers({ file: isText, name: isText })

const stepMembers = toMembers({
  type: (value) => stepTypes.some((type) => type === value),
  'id?': isText,
  'since?': isWhole,
  'drop?': (value) => Array.isArray(value) && value.length > 0 && value.every(isText) && areDistinct(value),
  'order?': (value) => Array.isArray(value) && value.every(isText) && areDistinct(value),
  payload: () => true,
  sum: isText,
})

/**
 * The value as a v3 file: all members known, none missing, each of its kind. Payloads and extras are not looked into.
 * @throws Fault
 */
export function checkV3Shape(value: JsonObject): V3File {
  const place: Place = []
  checkMembers(value, fileMembers, place)
  const { test, steps, at, createdAt } = value as unknown as V3File
  if (test !== undefined) within(place, 'test', () => checkMembers(value.test as JsonValue, testMembers, place))
  if (at.length !== steps.length) fail('at has not one time for each step', ['at'])
  steps.forEach((step, index) => {
    checkMembers(step, stepMembers, ['steps', index])
    if (!Number.isSafeInteger(createdAt + (at[index] as number))) fail('a time is out of range', ['at', index])
  })
  return value as unknown as V3File
}

function checkMembers(value: JsonValue, members: Members, place: Place): void {
  const owner = onlyMembers(value, members.names, place)
  for (const { name, isOptional, accepts } of members.all) {
    if (!Object.hasOwn(owner, name)) {
      if (!isOptional) fail(`${name} is missing`, place)
    } else if (!accepts(owner[name] as JsonValue)) fail(`${name} is not of its kind`, [...place, name])
  }
}
