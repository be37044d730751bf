/** A size in bytes for people: `640 B`, `4.2 kB`, `3.3 MB`. */
export const formatSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  const [size, unit] = bytes < 999_950 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${size < 99.95 ? size.toFixed(1) : Math.round(size)} ${unit}`
}
