import { findPublishedKeys } from './published-keys.ts'
import { refusePlaces, type SecretOptions, type SecretPlace, scannedTexts, secretPlaces, secretsIn } from './secrets.ts'

/**
 * `findSecrets`, and the keys of many vendors in the forms that these publish. Loads the rules for those on first use,
 * so it belongs where a cassette is written, not where one is read.
 */
export async function scanSecrets(value: unknown, options: SecretOptions = {}): Promise<SecretPlace[]> {
  const texts = scannedTexts(value)
  const kinds = secretsIn(texts, options)
  const labels = new Map<string, Set<string>>()
  for (const { text, path, isKey } of texts) {
    if (kinds.has(text)) continue
    const name = isKey ? undefined : path.findLast((key) => typeof key === 'string')
    const known = labels.get(text)
    if (known) known.add(String(name ?? 'text'))
    else labels.set(text, new Set([String(name ?? 'text')]))
  }
  const labelled = [...labels].flatMap(([text, names]) => [...names].map((label) => ({ text, label })))
  for (const { text, kind } of await findPublishedKeys(labelled)) kinds.set(text, [...(kinds.get(text) ?? []), kind])
  return secretPlaces(texts, kinds, options)
}

/**
 * @param remedy one line that ends the message
 * @throws SecretFoundError for the keys in the value; names places and kinds, never a value
 */
export async function refuseAllSecrets(value: unknown, options: SecretOptions = {}, remedy?: string): Promise<void> {
  refusePlaces(await scanSecrets(value, options), remedy)
}
