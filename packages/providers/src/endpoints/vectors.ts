/** A vector as the numbers with the fewest digits that are the same as 32-bit floats; undefined for other bytes. */
export function fromBase64Vector(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  const numbers = Array.from({ length: bytes.length / 4 }, (_, at) => shortest(bytes.readFloatLE(at * 4)))
  // Not a number, minus zero, another spelling of base64.
  return toBase64Vector(numbers) === text ? numbers : undefined
}

/** Little-endian 32-bit floats, as the API of OpenAI sends them. */
export function toBase64Vector(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [at, value] of numbers.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}

/** Nine digits tell every 32-bit float from its neighbours. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return rounded
  }
  return Number(value.toPrecision(9))
}
