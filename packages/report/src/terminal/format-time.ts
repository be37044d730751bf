/** A time in milliseconds since the epoch as ISO 8601; as it is where no calendar reaches it. */
export const formatTime = (milliseconds: number): string => {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString()
}
