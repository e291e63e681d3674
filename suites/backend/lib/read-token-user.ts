import { readToken } from '../../../src/base/tokens/decode.ts'
import { pathsHolding, userAt } from '../../../src/base/tokens/find-user-claim.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'

/** The userId in the claims of a token; null where it cannot be read there. */
export type ReadTokenUser = (jwt: string) => string | null

type Parts = Pick<CheckContext<'backend'>, 'backend' | 'configuration' | 'available'>

/** Why a requirement cannot be judged where the tokens do not tell. */
export const tokensTellNoUser =
  'needs backend.fakeMint, or token.userIdClaim: without the mint double only the claims of a token tell for whom it was minted, and no claim holds the userId'

/**
 * Learns which claim holds the userId, for a backend that the mint double does not serve: the one that is configured, the
 * one in which the mint puts made-up users, or the one with the user of alice's session. Null where none does.
 */
export async function learnTokenUser({
  backend,
  configuration,
  available,
}: Parts): Promise<ReadTokenUser | null> {
  const { userIdClaim } = configuration.token
  const listPaths = async (): Promise<readonly string[]> => {
    if (userIdClaim !== 'auto') return [userIdClaim]
    const ofMint = (await available('mint')?.facts())?.userIdPaths ?? []
    if (ofMint.length > 0) return ofMint
    const { jwt } = await backend.token()
    return pathsHolding(readToken(jwt)?.claims ?? {}, backend.alice.userId, 'auto')
  }
  const [path] = await listPaths()
  if (path === undefined) return null
  return (jwt) => userAt(readToken(jwt)?.claims ?? {}, path)
}
