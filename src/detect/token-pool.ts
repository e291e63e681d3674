import { randomBytes } from 'node:crypto'
import type { Redactor } from '../base/evidence/redact.ts'
import type { Budget } from './budget.ts'

/** A token, or what takes its place, and the user that it is stated for. */
export interface UserToken {
  readonly jwt: string
  readonly userId: string
}

/** Calling tokens to try a service with, good and bad. */
export interface TokenPool {
  /** A new token; one after the other for different users, where there are several. */
  fresh(): Promise<UserToken>
  /** For first trials, of which most show nothing: a few of them share one. */
  shared(): Promise<UserToken>
  /**
   * Random text, for a user of its own: as long as a token and with the same dots, so that only its content can make a
   * difference.
   */
  garbage(): UserToken
  damaged(): Promise<UserToken>
}

/** A lockout of a token after a few failures must not meet the trial that counts. */
const trialsPerToken = 3

export function createTokenPool({
  mintFor,
  newUser,
  redactor,
  budget,
}: {
  readonly mintFor: () => Promise<UserToken>
  readonly newUser: () => string
  readonly redactor: Redactor
  readonly budget: Budget
}): TokenPool {
  let sharedToken: Promise<UserToken> | undefined
  let trials = 0
  let shape = 'x'.repeat(240)
  const fresh = async () => {
    budget.mint()
    const { jwt, userId } = await mintFor()
    redactor.learn('calling-jwt', jwt)
    shape = jwt
    return { jwt, userId }
  }
  return {
    fresh,
    shared() {
      if (sharedToken === undefined || trials % trialsPerToken === 0) sharedToken = fresh()
      trials += 1
      return sharedToken
    },
    garbage: () => ({ jwt: scramble(shape), userId: newUser() }),
    async damaged() {
      const { jwt, userId } = await fresh()
      const damaged = damageSignature(jwt)
      redactor.register('forged-jwt', damaged)
      return { jwt: damaged, userId }
    },
  }
}

function scramble(shape: string): string {
  const random = randomBytes(shape.length).toString('base64url')
  return [...shape].map((letter, at) => (letter === '.' ? '.' : (random[at] ?? 'x'))).join('')
}

/** Changes one character in the middle of the signature: some bits of its last character are padding. */
export function damageSignature(jwt: string): string {
  const start = jwt.lastIndexOf('.') + 1
  const at = start + Math.floor((jwt.length - start) / 2)
  return `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`
}
