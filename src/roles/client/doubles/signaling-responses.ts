import { carriages } from '../../signaling/carriages/registry.ts'
import { codecOf, type MessageCodec } from '../../signaling/message-codec.ts'
import type { SignalingProfile } from '../../signaling/profile.ts'
import type { FailureSign, MessageSign, SuccessSign } from '../../signaling/signs.ts'
import type { Refusals } from '../types.ts'

/** Messages and refusals of the signaling double, made from the signs that a profile gives. */
export interface SignalingResponses {
  readonly refusals: Refusals
  /** Sent as soon as a socket is open: the cue that a carriage by message waits for. */
  readonly greeting: string | null
  /** Returns the message for an accepted client; null where an open socket that stays quiet is the sign. */
  welcome(userId: string): string | null
  readonly status: number
  /** Null where the profile names none: an open socket stays open after the frame. */
  readonly closeCode: number | null
  /** The sample; null where a close code is the only sign. A frame made from a sign is sent only where there is no close code. */
  readonly refusalFrame: string | null
}

const unauthorized = 401

/** `seesStatus`: the client can see with which HTTP status an upgrade was refused, which a page cannot. */
export function deriveResponses(
  profile: SignalingProfile,
  { seesStatus }: { readonly seesStatus: boolean },
): SignalingResponses {
  const { success, samples } = profile
  const codec = codecOf(profile)
  const cue = carriages.cueOf(profile.carriage)
  const named = profile.unauthorized.length > 0 ? profile.unauthorized : profile.failure
  const [closeCode] = closeCodesOf(named)
  const status = named.flatMap((sign) => ('http' in sign ? sign.http : []))
  const frame = named.find(isMessage)
  const built = frame === undefined || closeCode !== undefined ? null : buildSample(frame, codec)
  const refusalFrame = samples.unauthorized ?? built
  const inSession =
    closeCode !== undefined ? ('close' as const) : refusalFrame !== null ? ('frame' as const) : null
  const firstNamed = named[0]
  const byStatus = cue === null && status.length > 0
  const prefersStatus = byStatus && (inSession === null || (seesStatus && isHttp(firstNamed)))
  const [sign] = success
  return {
    refusals: { atConnect: prefersStatus ? 'http' : (inSession ?? 'http'), inSession },
    greeting: cue === null || cue === 'open' ? null : (samples.greeting ?? buildSample(cue, codec)),
    welcome(userId) {
      if (samples.success !== undefined) return codec.fill(samples.success, { jwt: '', userId })
      return sign !== undefined && isMessage(sign) ? buildSample(sign, codec) : null
    },
    status: status.includes(unauthorized) ? unauthorized : (status[0] ?? unauthorized),
    closeCode: closeCode ?? closeCodesOf(profile.failure)[0] ?? null,
    refusalFrame,
  }
}

/** The codes that an endpoint may send: 1005, 1006 and 1015 only report how a connection ended. */
function closeCodesOf(signs: readonly FailureSign[]): number[] {
  const codes = signs.flatMap((sign) => ('close' in sign ? sign.close : []))
  return codes.filter((code) => code < 1004 || (code > 1006 && code !== 1015))
}

function isHttp(sign: FailureSign | undefined): boolean {
  return sign !== undefined && 'http' in sign
}

function isMessage(sign: SuccessSign | FailureSign): sign is MessageSign {
  return 'frame' in sign || 'text' in sign
}

/** The text that a message begins with, else the smallest JSON with the value at the plain beginning of the path. */
function buildSample(sign: MessageSign, codec: MessageCodec): string {
  if ('text' in sign) return sign.text.startsWith
  const { path, equals } = sign.frame
  const steps = [...path.matchAll(/\.([^.[\]*?@]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/g)]
  const value = steps.reduceRight<unknown>((inner, [, dotted, single, double, index]) => {
    if (index !== undefined) return [...Array.from({ length: Number(index) }, () => null), inner]
    return { [dotted ?? single ?? double ?? '']: inner }
  }, equals)
  return codec.fromFrame(Buffer.from(JSON.stringify(value)))
}
