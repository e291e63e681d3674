import type { SignalingConnector } from '../roles/signaling/attempt.ts'
import { GivenUp } from './budget.ts'
import type { TokenPool } from './token-pool.ts'

export interface Confirmation {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  /** A token with a damaged signature was accepted: no matter of the profile, but the reader must know. */
  readonly letsDamagedIn: boolean
}

/**
 * Tries the profile with the connector that decides by it: good tokens, garbage, a damaged token and none, in turn. A
 * profile that decides any of them wrongly is discarded.
 * @throws GivenUp
 */
export async function confirmProfile(
  connector: SignalingConnector,
  tokenPool: TokenPool,
): Promise<Confirmation> {
  const accepted: string[] = []
  const refused: string[] = []
  const tryToken = async (what: string, token: string | null, userId: string) => {
    const made = await connector.attempt({ token, declaredUser: userId })
    if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
    return { ...made, what }
  }
  const mustAccept = async () => {
    const { jwt, userId } = await tokenPool.fresh()
    const made = await tryToken('a fresh token', jwt, userId)
    if (made.outcome !== 'accepted') throw doubt(made.what, made.summary)
    accepted.push(made.exchange)
  }
  const mustRefuse = async (what: string, token: string | null, userId: string) => {
    const made = await tryToken(what, token, userId)
    if (made.outcome === 'accepted') throw doubt(what, made.summary)
    refused.push(made.exchange)
  }
  const garbage = () => tokenPool.garbage()

  await mustAccept()
  await mustRefuse('garbage', garbage().jwt, garbage().userId)
  await mustAccept()
  await mustRefuse('a word', 'garbage', garbage().userId)
  await mustRefuse('no credential', null, garbage().userId)
  await mustAccept()
  const damaged = await tokenPool.damaged()
  const made = await tryToken('a damaged token', damaged.jwt, damaged.userId)
  refused.push(...(made.outcome === 'refused' ? [made.exchange] : []))
  await mustAccept()
  await mustRefuse('garbage', garbage().jwt, garbage().userId)
  return { accepted, refused, letsDamagedIn: made.outcome === 'accepted' }
}

function doubt(what: string, summary: string): GivenUp {
  return new GivenUp(`the detected profile failed its confirmation: with ${what}, signaling ${summary}`)
}
