import { readToken } from '../../../src/base/tokens/decode.ts'
import type { BrokenVariants, Catch } from '../../../src/requirement/define.ts'

export type Signaling = NonNullable<Catch['signaling']>
export type Presence = Parameters<NonNullable<Signaling['opened']>>[0]['presence']
type Verify = NonNullable<Signaling['signatureHolds']>
/** Says of a token as it was taken apart whether it is accepted. */
export type IsTaken = (signed: Parameters<Verify>[0]) => boolean

/** Signaling that takes some tokens beside those with a good signature. */
export function alsoTaking(isTaken: IsTaken) {
  return { signatureHolds: (...[signed, , usual]: Parameters<Verify>) => isTaken(signed) || usual() }
}

/** Signaling that lets some credentials in without verification, as the user that the client declares. */
export function asDeclared(isGuest: (credential: string | null) => boolean) {
  return {
    guest: (credential: string | null) => (isGuest(credential) ? 'guest' : null),
    joinsAs: (user: string, declared: string | null) => declared ?? user,
  }
}

type Identify = NonNullable<Signaling['identify']>

/** Signaling that takes the user from the upgrade where that names one: before it has verified a token, or after. */
export function statedBy(
  when: 'unverified' | 'verified',
  userOf: (upgrade: Parameters<Identify>[0], query: URLSearchParams) => string | string[] | null | undefined,
): Identify {
  return async (upgrade, usual) => {
    const user = userOf(upgrade, new URL(upgrade.url ?? '', 'http://signaling').searchParams)
    if (typeof user !== 'string') return usual()
    return when === 'verified' ? { ...(await usual()), userId: user } : { userId: user, expiresAt: null }
  }
}

/** The user that a token names; null where it names none. */
export function subjectOf(token: string): string | null {
  const sub = readToken(token)?.claims?.['sub']
  return typeof sub === 'string' ? sub : null
}

/** A welcome of one frame. */
export function saying(frame: (userId: string) => string, startsWith?: string) {
  return {
    frames: (userId: string) => [frame(userId)],
    sign:
      startsWith === undefined ? { frame: { path: '$.type', equals: 'welcome' } } : { text: { startsWith } },
  }
}

interface TakenBack {
  /** Only rejections for this reason come late. */
  readonly only?: 'missing' | 'invalid' | 'expired'
  /** Frames that follow the welcome; `peers` are the users that are online, for a service that sends these. */
  readonly more?: (peers: readonly string[]) => readonly string[]
  readonly as: 'warn' | 'fail'
  readonly configuration?: Readonly<Record<string, unknown>> | undefined
}

/** Signaling that says success before it has verified, and rejects afterwards. */
export function takingBack({ only, more = () => [], as, configuration }: TakenBack): Catch {
  return {
    signaling: {
      refuse: (reason, announced) =>
        only !== undefined && reason !== only
          ? announced
          : {
              by: 'late',
              frames: (peers) => ['{"type":"welcome"}', ...more(peers)],
              afterMs: 100,
              rejection: announced,
            },
    },
    configuration: { ...configuration, signaling: { profile: { settleMs: 400 } } },
    as,
  }
}

/** Signaling that welcomes each client before it rejects it. */
export const earlyWelcomes: BrokenVariants = {
  'welcomes, and rejects 100 ms later': takingBack({ as: 'warn' }),
  'tells who is online before it rejects': takingBack({
    more: (peers) => [JSON.stringify({ type: 'online', users: peers.map((id) => ({ id })) })],
    as: 'fail',
  }),
}

/** Signaling that keeps in mind whom it has verified, and asks those for no token. */
export function rememberingUsers(): Catch {
  const verified = new Set<string>()
  return {
    signaling: {
      async identify({ url = '' }, usual) {
        const declared = new URL(url, 'wss://localhost').searchParams.get('as') ?? ''
        if (verified.has(declared)) return { userId: declared, expiresAt: null }
        const known = await usual()
        verified.add(known.userId)
        return known
      },
    },
  }
}
