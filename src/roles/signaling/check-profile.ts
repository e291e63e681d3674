import { isDeepStrictEqual } from 'node:util'
import { query } from 'jsonpath-rfc9535'
import { TwotokenError } from '../../base/errors.ts'
import { carriages } from './carriages/registry.ts'
import { buildJoinRequest } from './join-request.ts'
import type { FrameSign, MessageSign } from './signs.ts'
import type { SignalingAccess, SignalingProfile } from './types.ts'

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

/**
 * Why the profile cannot tell success from failure, as a clause; null where it can. A success sign tells nothing
 * where the same sign is also a failure, or comes before the service has seen the token.
 */
export function findOracleGap(profile: SignalingProfile): string | null {
  if (profile.success.length === 0) return 'the profile has no sign of success'
  const others = [...profile.failure, ...signOfCue(profile)]
  const telling = profile.success.filter((sign) =>
    'quietOpenMs' in sign
      ? sign.quietOpenMs < profile.timeoutMs
      : !others.some((other) => isDeepStrictEqual(other, sign)),
  )
  if (telling.length > 0) return null
  return profile.success.every((sign) => 'quietOpenMs' in sign)
    ? 'quietOpenMs of the profile is not shorter than its timeoutMs'
    : 'every sign of success in the profile is also a sign of failure'
}

/** Throws a TwotokenError where no attempt could ever be made or judged as the profile says. */
export function checkProfile(url: string, profile: SignalingProfile): void {
  if (!URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol))
    throw new TwotokenError('configuration', 'signaling.url is not a ws or wss address')
  const signs = [...profile.success, ...profile.failure, ...profile.unauthorized, ...signOfCue(profile)]
  for (const sign of signs) if ('frame' in sign) checkPath(sign.frame)
  const trial = buildJoinRequest(url, profile, { token: 'x', declaredUser: 'x' })
  if ('unsendable' in trial)
    throw new TwotokenError('configuration', `signaling.profile cannot be used: ${trial.unsendable}`)
}

/** The sign that the message with the token waits for. */
function signOfCue({ carriage }: SignalingProfile): MessageSign[] {
  const cue = carriages.cueOf(carriage)
  return cue === null || cue === 'open' ? [] : [cue]
}

function checkPath({ path }: FrameSign['frame']): void {
  try {
    query(null, path)
  } catch (error) {
    throw new TwotokenError(
      'configuration',
      `"${path}" in signaling.profile is not a JSONPath (RFC 9535)`,
      error,
    )
  }
}
