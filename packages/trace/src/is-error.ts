/** Also of another realm: Jest runs test files in globals of their own. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
