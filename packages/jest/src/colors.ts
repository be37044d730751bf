import { WriteStream } from 'node:tty'

/** Does Jest colour its output here? Its workers have no terminal; it tells them by `FORCE_COLOR`. */
export const hasColors = (env = process.env): boolean => {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return WriteStream.prototype.getColorDepth.call(process.stdout, env) > 1
  return process.stdout.isTTY === true && process.stdout.hasColors()
}
