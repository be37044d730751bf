import type { JsonObject } from '@retake/trace'

const toCamel = (name: string): string =>
  name.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The members of a message of the API by their camel case names: its JSON may have either spelling
 * (https://protobuf.dev/programming-guides/json/). A member given in both is kept in both, and one that is not `known`
 * as it was given. [all are]
 */
export const camelMembers = (message: JsonObject, known?: (name: string) => boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(message).map(([name, value]) => {
      const camel = toCamel(name)
      return [camel in message || known?.(camel) === false ? name : camel, value]
    }),
  )
