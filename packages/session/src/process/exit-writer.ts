/** A program: writes the recording that it is given on standard input, for a process that is about to be gone. */

// Ctrl-C reaches this one too, and must not lose what the first one stopped: first of all, so all else is loaded late.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const { text } = await import('node:stream/consumers')
const { writeCassette } = await import('../write-cassette.ts')
const { toStoredError } = await import('./stored-error.ts')
try {
  const kind = await writeCassette(JSON.parse(await text(process.stdin)))
  process.stdout.write(JSON.stringify({ kind }))
} catch (error) {
  process.stdout.write(JSON.stringify({ error: toStoredError(error) }))
}
