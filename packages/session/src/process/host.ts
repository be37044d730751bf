/**
 * A program: the session of a command that is no Node, in a process beside it. The preload has opened it; this one tells
 * its base URLs, and ends as the command did.
 */
import { placeholderKey } from '../api-keys.ts'
import { toBaseUrls } from './base-urls.ts'
import { createDoor } from './door.ts'
import { readEnvironment } from './environment.ts'
import { preloadedSession, tellRefusal } from './launched.ts'

// Ctrl-C reaches this one too; when the run is over is for the command to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

process.once('message', (exitCode) => process.exit(Number(exitCode)))
process.once('disconnect', () => process.exit(1))
try {
  const door = createDoor(preloadedSession().cassette.fetch)
  // Clients in a replay need a key as little as any other, but they want to see one.
  const keys = Object.entries(process.env).filter(([, value]) => value === placeholderKey)
  const urls = await toBaseUrls(readEnvironment(process.env).baseUrl ?? '', door)
  process.send?.({ variables: { ...Object.fromEntries(keys), ...urls } })
} catch (error) {
  tellRefusal(error)
  process.exit(1)
}
