/** A program: writes the recording that it is given on standard input, for a process that is about to be gone. */
import { text } from 'node:stream/consumers'
import { writeCassette } from '../store.ts'
import { toStoredError } from './stored-error.ts'

// Ctrl-C reaches this one too, and must not lose what the first one stopped.
process.on('SIGINT', () => {})
try {
  const kind = await writeCassette(JSON.parse(await text(process.stdin)))
  process.stdout.write(JSON.stringify({ kind }))
} catch (error) {
  process.stdout.write(JSON.stringify({ error: toStoredError(error) }))
}
