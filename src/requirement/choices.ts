import { createHash } from 'node:crypto'
import { createRandom } from '../base/seeded-random.ts'

/** Whatever is made up for one requirement: the same again with the same seed, whichever others run beside it. */
export interface Choices {
  /** A number in [0, 1). */
  random(): number
  randomBytes(size: number): Buffer
  /** A userId that no other requirement of this run, or of any other, uses. */
  newUser(): string
}

/** @param name of the requirement, or of what else needs choices */
export function createChoices(seed: number, name: string): Choices {
  const own = createHash('sha256').update(`${seed}/${name}`).digest().readUInt32LE()
  const random = createRandom(own)
  const prefix = `tt-${seed.toString(36)}-${name.toLowerCase()}`
  let users = 0
  return {
    random,
    randomBytes: (size) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256))),
    newUser: () => `${prefix}-${++users}-${Math.floor(random() * 36 ** 6).toString(36)}`,
  }
}
