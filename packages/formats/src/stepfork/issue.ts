/** One thing that is wrong with a bundle. `code` is a code of the format, or `unsafe_file`, `unexpected_file`. */
export interface StepforkIssue {
  code: string
  /** One line; never a stored payload. */
  message: string
  /** `events.jsonl:3`, `manifest.json:totals.events`, `integrity.json`. */
  location?: string
  eventId?: string
  step?: number
}
