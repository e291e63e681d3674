import { isDeepStrictEqual } from 'node:util'
import { TwotokenError } from '../../base/errors.ts'
import { carriages } from './carriages/registry.ts'
import type { SignalingAccess } from './configuration.ts'
import { buildJoinRequest } from './join-request.ts'
import type { SignalingProfile } from './profile.ts'

/** Says whether the client states its userId in addition to the token that has it as a claim. */
export function declaresUser({ carriage, declaredUser }: SignalingProfile): boolean {
  if (declaredUser.in !== 'carriage') return declaredUser.in !== 'none'
  return carriages.carriesUser(carriage)
}

/** The reason for an untested part where only `detect` says that a client states no userId. */
export const unconfirmedDeclaration =
  'twotoken detect found no place where a client states its userId: write it at signaling.profile.declaredUser, or remove "detected" there if the protocol has none'

/** Says whether only `detect` claims that a client states no userId in addition to the token. */
export function isDeclarationUnconfirmed(access: SignalingAccess | undefined): boolean {
  if (access === undefined || !('profile' in access)) return false
  const { declaredUser } = access.profile
  return declaredUser.in === 'none' && declaredUser.detected === true
}

/** Why no sign of success tells, as a clause: each is also a failure, or comes before the token was seen; null where one tells. */
export function findOracleGap(profile: SignalingProfile): string | null {
  const cue = carriages.cueOf(profile.carriage)
  // The message with the token waits for this sign.
  const others = cue === null || cue === 'open' ? profile.failure : [...profile.failure, cue]
  const isTelling = profile.success.some(
    (sign) => 'quietOpenMs' in sign || !others.some((other) => isDeepStrictEqual(other, sign)),
  )
  return isTelling ? null : 'every sign of success in the profile is also a sign of failure'
}

/** Throws a TwotokenError where no attempt could ever be made as the profile says. */
export function checkProfile(url: string, profile: SignalingProfile): void {
  const trial = buildJoinRequest(url, profile, { token: 'x', declaredUser: 'x' })
  if (typeof trial === 'string')
    throw new TwotokenError('configuration', `signaling.profile cannot be used: ${trial}`)
}
