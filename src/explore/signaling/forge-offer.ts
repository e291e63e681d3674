import { takenApart } from '../../base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../base/tokens/forge-tampered.ts'
import type { Offer } from './steps.ts'

/** The token as it is offered; null where this service's tokens have no such part. */
export function forgeOffer(
  jwt: string,
  offer: Offer,
  { userId, otherUser }: { userId: string; otherUser: string },
): string | null {
  if (offer === 'as it is' || offer === "with the other user's id") return jwt
  const original = takenApart(jwt, userId)
  const forgeries = original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser })
  const [, payload = '', signature = ''] = jwt.split('.')
  const found = forgeries.find(({ token }) => {
    const [, otherPayload, otherSignature] = token.split('.')
    const areClaimsChanged = otherPayload !== payload
    const isSignatureChanged = otherSignature !== signature
    return offer === 'with changed claims'
      ? areClaimsChanged && !isSignatureChanged
      : isSignatureChanged && !areClaimsChanged
  })
  return found?.token ?? null
}
