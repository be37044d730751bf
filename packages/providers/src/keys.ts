/** True for a value that can be a key. Template strings turn a missing one into a word. */
export const hasValue = (value: string | null | undefined): boolean =>
  !['', 'undefined', 'null'].includes((value ?? '').trim())

export const hasBearer = (headers: Readonly<Record<string, string>>): boolean =>
  hasValue(/^bearer(?:\s+(.*))?$/i.exec((headers.authorization ?? '').trim())?.[1])
