import { randomBytes } from 'node:crypto'
import type { Redactor } from '../base/evidence/redact.ts'
import type { Budget } from './budget.ts'

export interface Holder {
  readonly jwt: string
  readonly userId: string
}

/** Calling tokens to try a service with, good and bad. */
export interface Supply {
  /** A token that nobody has offered yet; one after the other for different users, where there are several. */
  fresh(): Promise<Holder>
  /** For trials that will mostly not even be looked at: a few of them share one. */
  lent(): Promise<Holder>
  /**
   * Text of no meaning, for a user of its own: as long as a token and with the same dots, so that nothing but what it
   * says can make a difference.
   */
  garbage(): Holder
  /** A token whose signature has been damaged. */
  tampered(): Promise<Holder>
}

/** A lockout after a few failures must not meet the trial that counts. */
const trialsPerLoan = 3

export function createSupply({
  mintFor,
  newUser,
  redactor,
  budget,
}: {
  readonly mintFor: () => Promise<Holder>
  readonly newUser: () => string
  readonly redactor: Redactor
  readonly budget: Budget
}): Supply {
  let loan: Promise<Holder> | undefined
  let lent = 0
  let shape = 'x'.repeat(240)
  const fresh = async () => {
    budget.mint()
    const { jwt, userId } = await mintFor()
    redactor.register('calling-jwt', jwt)
    shape = jwt
    return { jwt, userId }
  }
  return {
    fresh,
    lent() {
      if (loan === undefined || lent % trialsPerLoan === 0) loan = fresh()
      lent += 1
      return loan
    },
    garbage: () => ({ jwt: scrambled(shape), userId: newUser() }),
    async tampered() {
      const { jwt, userId } = await fresh()
      const damaged = withDamage(jwt)
      redactor.register('forged-jwt', damaged)
      return { jwt: damaged, userId }
    },
  }
}

function scrambled(shape: string): string {
  const random = randomBytes(shape.length).toString('base64url')
  return [...shape].map((letter, at) => (letter === '.' ? '.' : (random[at] ?? 'x'))).join('')
}

/** One character in the middle of the last part is another: never the last one, of which some bits are padding. */
function withDamage(jwt: string): string {
  const start = jwt.lastIndexOf('.') + 1
  const at = start + Math.floor((jwt.length - start) / 2)
  return `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`
}
