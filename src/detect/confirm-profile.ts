import type { Signaling } from '../roles/signaling/attempt.ts'
import { GivenUp } from './budget.ts'
import type { Supply } from './token-pool.ts'

/** What became of the trials with which a found profile was tried. */
export interface Confirmation {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  /** A token with a damaged signature was let in: nothing for a profile to say, but for the reader. */
  readonly letsDamagedIn: boolean
}

/**
 * Tries the profile with the driver that judges by it: good tokens, garbage, a damaged token and none, in turn. A
 * profile that decides any of them wrongly is worth nothing.
 * @throws GivenUp
 */
export async function confirmed(driver: Signaling, supply: Supply): Promise<Confirmation> {
  const accepted: string[] = []
  const refused: string[] = []
  const tried = async (what: string, token: string | null, userId: string) => {
    const made = await driver.attempt({ token, declaredUser: userId })
    if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
    return { ...made, what }
  }
  const mustAccept = async () => {
    const { jwt, userId } = await supply.fresh()
    const made = await tried('a fresh token', jwt, userId)
    if (made.outcome !== 'accepted') throw doubt(made.what, made.summary)
    accepted.push(made.exchange)
  }
  const mustRefuse = async (what: string, token: string | null, userId: string) => {
    const made = await tried(what, token, userId)
    if (made.outcome === 'accepted') throw doubt(what, made.summary)
    refused.push(made.exchange)
  }
  const garbage = () => supply.garbage()

  await mustAccept()
  await mustRefuse('garbage', garbage().jwt, garbage().userId)
  await mustAccept()
  await mustRefuse('a word', 'garbage', garbage().userId)
  await mustRefuse('no credential', null, garbage().userId)
  await mustAccept()
  const damaged = await supply.tampered()
  const made = await tried('a damaged token', damaged.jwt, damaged.userId)
  refused.push(...(made.outcome === 'refused' ? [made.exchange] : []))
  await mustAccept()
  await mustRefuse('garbage', garbage().jwt, garbage().userId)
  return { accepted, refused, letsDamagedIn: made.outcome === 'accepted' }
}

function doubt(what: string, summary: string): GivenUp {
  return new GivenUp(`the profile that was found did not hold: offered ${what}, signaling ${summary}`)
}
