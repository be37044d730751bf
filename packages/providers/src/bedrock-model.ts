import { decodeSegment } from './decode-segment.ts'

/** The model, profile or prompt in a path of Bedrock's runtime, `…/model/NAME/VERB`; undefined for any other path. */
export const bedrockModelOf = (url: URL, verbs: readonly string[]): string | undefined => {
  const [, name, verb] = /\/model\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? []
  if (name === undefined || verb === undefined || !verbs.includes(verb)) return undefined
  return decodeSegment(name)
}
