/** How members of a model_input stand in a v3 file: short ones first, the conversation last. */
export const storedNames = (names: readonly string[]): string[] =>
  ordered(names, ['model', 'params', 'systemPrompt', 'tools', 'messages'])

/** How members of a model_input stand in a trace unless the file says otherwise: as the published v2 files have them. */
export const usualNames = (names: readonly string[]): string[] =>
  ordered(names, ['messages', 'tools', 'systemPrompt', 'model', 'params'])

function ordered(names: readonly string[], first: readonly string[]): string[] {
  const known = first.filter((name) => names.includes(name))
  const others = names.filter((name) => !first.includes(name)).sort()
  return [...known, ...others]
}
