import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { toObjects, toText } from '../json-members.ts'

type Key = string | number

/** `$.a[0]['b c']` as its keys. */
const parsePath = (path: string): Key[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)].map(([, name, index, quoted, doubly]) =>
    index === undefined ? (name ?? quoted ?? doubly ?? '') : Number(index),
  )

const readPiece = (piece: JsonObject): JsonValue | undefined => {
  const { stringValue, numberValue, boolValue } = piece
  return stringValue ?? numberValue ?? boolValue ?? ('nullValue' in piece ? null : undefined)
}

const put = (into: JsonValue | undefined, [first, ...rest]: Key[], value: JsonValue): JsonValue => {
  // Texts come in pieces.
  if (first === undefined) return typeof into === 'string' && typeof value === 'string' ? into + value : value
  if (typeof first === 'number') {
    const list = Array.isArray(into) ? [...into] : []
    list[first] = put(list[first], rest, value)
    return list
  }
  const object = isJsonObject(into) ? into : {}
  const member = put(Object.hasOwn(object, first) ? object[first] : undefined, rest, value)
  // Assignment would set the prototype for a member named __proto__.
  return Object.defineProperty({ ...object }, first, {
    value: member,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/**
 * Arguments with the pieces of one more part of a call in them
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/function-calling#partialarg).
 */
export const addPartialArgs = (args: JsonObject, { partialArgs }: JsonObject): JsonObject =>
  toObjects(partialArgs).reduce<JsonObject>((known, piece) => {
    const value = readPiece(piece)
    const added = value === undefined ? known : put(known, parsePath(toText(piece.jsonPath)), value)
    return isJsonObject(added) ? added : known
  }, args)

/** True for a part of a call that is not all of it, or that goes on with the one before. */
export const isPartialCall = ({ name, partialArgs, willContinue }: JsonObject): boolean =>
  willContinue === true || partialArgs !== undefined || toText(name) === ''
