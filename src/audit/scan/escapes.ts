import type { Audit } from '../settings.ts'

const before = 320
/** How far from an escape its surroundings reach: others that are nearer need not be named. */
export const escapeStretch = 8192

/**
 * Finds the prefix in mixtures of plain and escaped characters. `escapes` are the offsets, in ascending order, at which
 * one of its characters is escaped: only around them it has to be looked for.
 */
export function* escapedPrefixes(
  { prefix, escaped }: Pick<Audit, 'prefix' | 'escaped'>,
  bytes: Buffer,
  escapes: readonly number[],
): Generator<number> {
  let done = 0
  for (const offset of escapes) {
    if (offset < done) continue
    const from = Math.max(done, offset - before)
    done = offset + escapeStretch
    const text = bytes.toString('latin1', from, done + before)
    for (const { 0: match, index } of text.matchAll(escaped))
      if (match !== prefix && from + index < done && /[\\%&]/.test(match)) yield from + index
  }
}
