export const cutOff = { kind: 'corrupt', reason: 'the compressed data is corrupt or cut off' } as const
export const archiveCutOff = { kind: 'corrupt', reason: 'the archive is cut off' } as const
export const overLimit = { kind: 'limit', reason: 'over the size limit' } as const

/**
 * Returns the name of a compressed file's contents: the file's name without the suffix of its format.
 * @param usual a suffix that is no suffix of the contents, even where it does not fit the pattern
 */
export function stripSuffix(name: string, suffix: RegExp, usual: string): string {
  if (!suffix.test(name)) return name.endsWith(`.${usual}`) ? name : `${name}.expanded`
  const rest = name.replace(suffix, '')
  return /\.(?:tgz|tzst)$/i.test(name) ? `${rest}.tar` : rest
}

/** Returns the name of a file's contents where the file is decompressed as a stream. */
export function streamedName(name: string): string {
  return stripSuffix(name, /\.t?(?:gz|zst)$|\.br(?:otli)?$/i, 'gz')
}
