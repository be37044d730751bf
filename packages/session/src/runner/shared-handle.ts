import { ConfigError } from '@retake/trace'
import type { AnyTool, Cassette } from '../cassette.ts'

/** The handle of a file or describe: every use goes to the cassette of the test that uses it, the `current` one. */
export const createSharedHandle = (current: () => Cassette | undefined): Cassette => {
  const here = (what: string): Cassette => {
    const handle = current()
    if (handle) return handle
    throw new ConfigError(
      `cassette.${what} was used outside of a test: at file or describe level it stands for the cassette of each test.\n` +
        '  Use it in the test, in beforeEach or in a fixture.',
    )
  }
  return {
    get name() {
      return here('name').name
    },
    get path() {
      return here('path').path
    },
    get state() {
      return here('state').state
    },
    get trace() {
      return here('trace').trace
    },
    get extras() {
      return here('extras').extras
    },
    // Clients are often made once, at file level.
    fetch: (input, init) => here('fetch').fetch(input, init),
    tools: <T extends Record<string, AnyTool>>(tools: T) => here('tools()').tools(tools),
    tool: (name, fn) => here('tool()').tool(name, fn),
    captureTrace: (options) => here('captureTrace()').captureTrace(options),
  }
}
