import type { Configuration } from '../../configuration/configuration.ts'
import type { ReplaceablePart } from '../../requirement/blame.ts'
import type { TokenSample } from './token-sample.ts'

/** Why the reference cannot replace these parts while the others of the concerned ones stay; null where it can. */
export function findObstacle(
  replaced: readonly ReplaceablePart[],
  concerned: readonly ReplaceablePart[],
  { backend, mint, token, proxy, tls }: Configuration,
  sample: TokenSample | null,
): string | null {
  const is = (part: ReplaceablePart) => replaced.includes(part)
  const stays = (part: ReplaceablePart) => concerned.includes(part) && !is(part)
  if (is('mint') && stays('backend') && backend?.fakeMint === undefined)
    return 'the backend calls its own mint; needs backend.fakeMint'
  if (is('mint') && stays('signaling') && token.signWith === undefined)
    return 'signaling would not trust its tokens; needs token.signWith'
  if (is('backend') && !is('mint') && backend?.fakeMint === undefined) {
    if (mint === undefined) return 'it has no mint to call; needs mint.url and mint.apiKey'
    if (proxy !== undefined || tls.client !== undefined)
      return 'it calls the mint neither through a proxy nor with a client certificate'
  }
  return is('signaling') && !is('mint') ? unverifiable(token, sample) : null
}

function unverifiable({ jwks, signWith }: Configuration['token'], sample: TokenSample | null): string | null {
  if (jwks === undefined && signWith === undefined)
    return 'it cannot verify the tokens; needs token.jwks or token.signWith'
  if (sample === null) return null
  const { read } = sample
  if (read === null || read.claims === null) return 'the tokens are no signed JWTs that it can read'
  const isShared = /^HS/.test(String(read.header['alg']))
  const hasSecret = signWith !== undefined && 'secret' in signWith
  const hasPublic = jwks !== undefined || (signWith !== undefined && 'privateKey' in signWith)
  if (isShared ? hasSecret : hasPublic) return null
  return `it has no key for ${String(read.header['alg'])}`
}
