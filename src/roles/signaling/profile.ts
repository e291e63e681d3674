import { isDeepStrictEqual } from 'node:util'
import { query } from 'jsonpath-rfc9535'
import { TwotokenError } from '../../base/errors.ts'
import { offerOf } from './offer.ts'
import type { FrameSign, SignalingProfile } from './types.ts'

/** Whether the client states its userId besides the token that holds it. */
export function declaresUser({ carriage, declaredUser }: SignalingProfile): boolean {
  if (declaredUser.in === 'none') return false
  if (declaredUser.in !== 'carriage') return true
  if (carriage.in === 'subprotocol')
    return carriage.protocols.some((protocol) => protocol.includes('{userId}'))
  return 'template' in carriage && carriage.template.includes('{userId}')
}

/**
 * Why the profile cannot tell success from failure, as a clause; null where it can. A success sign tells nothing
 * where the same sign is also a failure, or is what the service sends before it has seen the token.
 */
export function missingOracle(profile: SignalingProfile): string | null {
  if (profile.success.length === 0) return 'the profile names no sign of success'
  const { carriage } = profile
  const cue = carriage.in === 'message' && carriage.after !== 'open' ? [carriage.after] : []
  const others = [...profile.failure, ...cue]
  const telling = profile.success.filter((sign) =>
    'quietOpenMs' in sign
      ? sign.quietOpenMs < profile.timeoutMs
      : !others.some((other) => isDeepStrictEqual(other, sign)),
  )
  if (telling.length > 0) return null
  return profile.success.every((sign) => 'quietOpenMs' in sign)
    ? 'quietOpenMs of the profile is not shorter than its timeoutMs'
    : 'every sign of success in the profile is also a sign of something else'
}

/** Throws a TwotokenError where no attempt could ever be made or judged as the profile says. */
export function checkProfile(url: string, profile: SignalingProfile): void {
  if (!URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol))
    throw new TwotokenError('configuration', 'signaling.url is not a ws or wss address')
  const { carriage } = profile
  const signs = [
    ...profile.success,
    ...profile.failure,
    ...profile.unauthorized,
    ...(carriage.in === 'message' && carriage.after !== 'open' ? [carriage.after] : []),
  ]
  for (const sign of signs) if ('frame' in sign) checkPath(sign.frame)
  const trial = offerOf(url, profile, { token: 'x', declaredUser: 'x' })
  if ('untestable' in trial)
    throw new TwotokenError('configuration', `signaling.profile cannot be used: ${trial.untestable}`)
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
