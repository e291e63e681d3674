/** What came out of a compressed file, and why no more did. */
export interface Decompressed {
  readonly bytes: Buffer | null
  readonly end: 'whole' | 'corrupt' | 'limit'
}

export const cutOff = { kind: 'corrupt', reason: 'the compressed data is corrupt or cut off' } as const
export const overLimit = { kind: 'limit', reason: 'over the size limit' } as const

/**
 * What the contents of a compressed file are called: its own name without the suffix of its format.
 * @param usual a suffix that is no suffix of the contents, even where it does not fit the pattern
 */
export function stripSuffix(name: string, suffix: RegExp, usual: string): string {
  if (!suffix.test(name)) return name.endsWith(`.${usual}`) ? name : `${name}.expanded`
  const rest = name.replace(suffix, '')
  return /\.(?:tgz|tzst)$/i.test(name) ? `${rest}.tar` : rest
}

/** What the contents of a file are called that is decompressed as a stream. */
export function streamedName(name: string): string {
  const rest = name.replace(/\.t?(?:gz|zst)$|\.br$/i, '')
  if (rest === name) return `${name}.expanded`
  return /\.t(?:gz|zst)$/i.test(name) ? `${rest}.tar` : rest
}
