import { type Wire, wires } from '@retake/providers'
import { ConfigError } from '@retake/trace'

/** A URL that speaks one of the wires, where its path does not tell. */
export interface ProviderRoute {
  /** Without a query. `*` stands for anything but a slash. */
  url: string
  /** `openai.chat`, `anthropic.messages` … */
  wire: string
}

/** The wire of a URL that the user named. */
export type OwnRoutes = (url: URL) => Wire | undefined

/** @throws ConfigError for a URL that is none, and for a wire that does not exist */
export function createOwnRoutes(providers: readonly ProviderRoute[] = []): OwnRoutes {
  const routes = providers.map(({ url, wire }, index) => ({
    pattern: toPattern(url, index),
    wire: findByName(wire, index),
  }))
  return ({ origin, pathname }) => routes.find(({ pattern }) => pattern.test(origin + pathname))?.wire
}

function toPattern(given: string, index: number): RegExp {
  const [address = ''] = given.split(/[?#]/, 1)
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new ConfigError(
      `providers[${index}].url must be a whole URL, such as https://llm.example.com/generate; it is ${JSON.stringify(given)}`,
      { option: `providers[${index}].url` },
    )
  }
  const { origin, pathname } = new URL(address)
  const parts = (origin + pathname).split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]*')}$`)
}

function findByName(name: string, index: number): Wire {
  const found = wires.find((wire) => wire.name === name)
  if (found) return found
  throw new ConfigError(
    `providers[${index}].wire is ${JSON.stringify(name)}, and there is no such wire; there are ${wires.map((wire) => wire.name).join(', ')}`,
    { option: `providers[${index}].wire` },
  )
}
