import { createHash } from 'node:crypto'
import { createRandom } from '../base/seeded-random.ts'
import type { UserIds } from '../roles/mint/configuration.ts'
import { uuidFrom } from '../roles/mint/user-ids.ts'

/** Whatever is made up for one requirement: the same again with the same seed, whichever others run beside it. */
export interface Choices {
  random(): number
  randomBytes(size: number): Buffer
  /** A userId to mint for, of this requirement and run alone, unless the mint knows a few users only: then the next of those. */
  newUser(): string
  /** An id for which no token is asked: that of another user in a forgery or a declaration. */
  unknownUser(): string
}

export function createChoices(seed: number, name: string, userIds?: UserIds): Choices {
  const own = createHash('sha256').update(`${seed}/${name}`).digest().readUInt32LE()
  const random = createRandom(own)
  const prefix = `tt-${seed.toString(36)}-${name.toLowerCase()}`
  let users = 0
  // Bodies for two users are equally long: a mint may look at no more than that.
  const madeUp = () => {
    const chance = Math.floor(random() * 36 ** 6).toString(36)
    return `${prefix}-${String(++users).padStart(2, '0')}-${chance.padStart(6, '0')}`
  }
  const unknownUser = userIds !== undefined && 'pattern' in userIds ? () => uuidFrom(random) : madeUp
  const known = userIds !== undefined && 'from' in userIds ? userIds.from : []
  // Requirements that run at once begin at different users.
  let place = own
  const nextKnown = () => known[place++ % known.length] ?? ''
  return {
    random,
    randomBytes: (size) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256))),
    newUser: known.length > 0 ? nextKnown : unknownUser,
    unknownUser,
  }
}
