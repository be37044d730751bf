import { startPreloaded } from './launched.ts'

/**
 * Opens the session of an agent that knows nothing of retake, as the environment says, before any of its code runs.
 * A process that cannot have one ends at once: it would make its calls unseen.
 */
export function register(): void {
  try {
    startPreloaded()
  } catch (error) {
    if (!process.env.RETAKE_REPORT) {
      process.stderr.write(`[retake] ${error instanceof Error ? error.message : error}\n`)
    }
    process.exit(1)
  }
}
