import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { type ReadToken, readToken } from '../../base/tokens/decode.ts'
import { pathsHolding } from '../../base/tokens/find-user-claim.ts'
import type { CommonContext } from '../../requirement/needs.ts'
import type { Mint } from '../../roles/mint/driver.ts'

/** Sample of the implementation's tokens: the reference has to issue and to accept the same form. */
export interface TokenSample {
  readonly jwt: string
  readonly userId: string
  /** Null where it is no compact JWS or JWE. */
  readonly read: ReadToken | null
  /** Where two tokens have their userIds; empty where no claim is it. */
  readonly userIdPaths: readonly string[]
  /** The mint's whole answer; null where the token came through the backend. */
  readonly answer: MintAnswer | null
}

interface MintAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

type OneToken = Pick<TokenSample, 'jwt' | 'userId' | 'answer'>

/** Null where no token is issued. */
export async function takeTokenSample(parts: CommonContext): Promise<TokenSample | null> {
  const { available, configuration, newUser } = parts
  const mint = available('mint')
  const tokens = available('callingTokens')
  const take = async (): Promise<OneToken | null> => {
    if (mint !== undefined) return await askMint(mint, newUser())
    if (tokens === undefined) return null
    return { ...(await tokens.fresh()), answer: null }
  }
  try {
    const [one, other] = [await take(), await take()]
    if (one === null || other === null) return null
    const places = ({ jwt, userId }: OneToken) => {
      const claims = readToken(jwt)?.claims ?? null
      return claims === null ? [] : pathsHolding(claims, userId, configuration.token.userIdClaim)
    }
    const shared = places(other)
    return {
      ...one,
      read: readToken(one.jwt),
      userIdPaths: places(one).filter((path) => shared.includes(path)),
    }
  } catch (error) {
    if (error instanceof ControlLost || error instanceof Untested) return null
    throw error
  }
}

async function askMint(mint: Mint, userId: string): Promise<OneToken | null> {
  const reply = await mint.request({ userId, followRedirects: true })
  if (reply.kind === 'no-answer' || reply.status < 200 || reply.status > 299) return null
  const located = mint.locate(reply)
  if (located.kind !== 'found') return null
  const contentType = reply.headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json'
  return { jwt: located.token, userId, answer: { status: reply.status, contentType, body: reply.body } }
}
