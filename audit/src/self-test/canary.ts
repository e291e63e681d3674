import { randomInt } from 'node:crypto'
import { fingerprintOf } from '../model/finding.ts'
import { shapeOf } from '../model/key-shape.ts'

/** A key of no account, by which its finding is known again. */
export interface Canary {
  readonly key: string
  readonly fingerprint: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Keys of a strong shape, each different; the length is the suffix's. @param below a random number from 0 to one less than its argument */
export function createCanaries(
  prefix: string,
  below: (limit: number) => number = (limit) => randomInt(limit),
): (length?: number) => Canary {
  const seen = new Set<string>()
  return (length = 24) => {
    for (;;) {
      const suffix = Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
      if (shapeOf(suffix) !== 'strong' || seen.has(suffix)) continue
      seen.add(suffix)
      const key = prefix + suffix
      return { key, fingerprint: fingerprintOf(key) }
    }
  }
}
