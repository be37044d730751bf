import { constants } from 'node:os'

type Ended = (exitCode: number) => void

const signals = ['SIGINT', 'SIGTERM'] as const

// One listener for all sessions of this process, so that each can tell whether anybody else listens.
const watching = new Set<Ended>()

/**
 * Calls `ended` once, when this process is about to be gone: at exit, or for SIGINT (130) and SIGTERM (143) where nobody
 * else listens. Nothing asynchronous runs after that.
 * @returns what takes it back
 */
export function watchExit(ended: Ended): () => void {
  if (watching.size === 0) {
    process.on('exit', onExit)
    for (const signal of signals) process.on(signal, onSignal)
  }
  watching.add(ended)
  return () => {
    if (watching.delete(ended) && watching.size === 0) stop()
  }
}

function stop(): void {
  process.off('exit', onExit)
  for (const signal of signals) process.off(signal, onSignal)
}

const onExit = (exitCode: number): void => tellAll(exitCode)

function onSignal(signal: (typeof signals)[number]): void {
  // What it means is for the other listener to say; if the process ends, that is told at exit.
  if (process.listenerCount(signal) > 1) return
  tellAll(128 + constants.signals[signal])
  process.kill(process.pid, signal)
}

function tellAll(exitCode: number): void {
  const told = [...watching]
  watching.clear()
  // It listens on until all are told: a signal that comes twice, from the terminal and passed on, must not end it half way.
  for (const ended of told) ended(exitCode)
  stop()
}
