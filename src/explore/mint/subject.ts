import { ControlLost } from '../../base/inconclusive.ts'
import type { CommonContext, Needed } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import { createNearMissKeys } from '../../roles/mint/near-miss-keys.ts'
import type { StateKey } from '../../roles/mint/types.ts'
import type { Subject } from '../engine/subject.ts'
import { mintInvariants } from './invariants.ts'
import {
  isIn,
  type Key,
  type MintStep,
  makePlain,
  makeSteps,
  type StateName,
  stateKeys,
  wrongKeys,
} from './steps.ts'
import { endOfRejection, type Habits, isRejection, tellMint } from './tell-mint.ts'

/** Parts that stories about the mint need. */
export const mintNeeds = ['mint'] as const
export type MintParts = CommonContext & Pick<Needed, (typeof mintNeeds)[number]>

export interface MintSubjectOptions {
  readonly restart?: (() => Promise<void>) | undefined
}

const longSeconds = 900
const shortSeconds = 120
/** A limit on the rate that rejects a key once serves it by then. */
const betweenAsksMs = 1_100

/** The mint with every key that the configuration has, and keys that are almost right. */
export function openMintSubject(
  session: Session,
  parts: MintParts,
  { restart = async () => {} }: MintSubjectOptions,
): Subject<MintStep> {
  const { mint, available, newUser, randomBytes } = parts
  const states: Readonly<Record<StateName, StateKey | undefined>> = {
    trialEnded: available('trialEndedKey'),
    suspended: available('suspendedKey'),
    capped: available('cappedKey'),
  }
  const near = new Map(createNearMissKeys(mint.apiKey, randomBytes(mint.apiKey.length).toString('hex')))
  const keyOf = (key: Key): string | null | undefined => {
    if (key === 'the right key') return mint.apiKey
    if (key === 'the key of another project') return available('otherProjectKey')
    if (key === 'no key') return null
    return isIn(stateKeys, key) ? states[key]?.key : near.get(key)
  }
  const ttlSeconds = {
    none: undefined,
    short: Math.max(shortSeconds, mint.minTtlSeconds),
    long: Math.max(longSeconds, mint.minTtlSeconds),
  }
  const present = ([...wrongKeys, ...stateKeys, 'the key of another project'] as const).filter(
    (key) => keyOf(key) !== undefined,
  )
  const opening = async (): Promise<Habits> => {
    const secondsOf = async (asked: number | undefined) => {
      const { byClaims, byClock } = (await mint.token(newUser(), { ttlSeconds: asked })).lifetime
      return byClaims ?? byClock
    }
    // A mint may refuse a lifetime that it finds too short or too long.
    const grantedFor = (asked: number) =>
      secondsOf(asked).catch((error: unknown) => {
        if (error instanceof ControlLost) return undefined
        throw error
      })
    const seconds = {
      none: await secondsOf(undefined),
      short: await grantedFor(ttlSeconds.short),
      long: await grantedFor(ttlSeconds.long),
    }
    const rejected = new Map<StateName, number>()
    for (const name of stateKeys) {
      const until = await findRejection(name)
      if (until !== null) rejected.set(name, until)
    }
    return { rejected, seconds, namesUser: (await mint.facts()).userIdPaths.length > 0 }
  }
  /** Until when the mint rejects the key by what it answers when it is asked first; null where it does not reject it. */
  const findRejection = async (name: StateName): Promise<number | null> => {
    const key = states[name]?.key
    if (key === undefined) return null
    let until: number | null = null
    for (let time = 0; time < 2; time += 1) {
      const reply = await mint.request({ key, userId: newUser(), expectsLimit: name === 'capped' })
      if (reply.kind === 'no-answer' || mint.issuedBy(reply) !== null || !isRejection(name, reply.status))
        return null
      until = endOfRejection(reply)
      if (time === 0) await parts.clock.until(parts.clock.monotonic() + betweenAsksMs)
    }
    return until
  }
  let habits: Habits | null = null
  return {
    role: 'mint',
    invariants: mintInvariants,
    stories: { aRound: 12, shortest: 1, longest: 20 },
    makePlain,
    makeSteps: (_, random) => makeSteps(present, random),
    opening: 'Two users, alice and bob, who were never seen before; a third one got a token.',
    async tell(story) {
      await restart()
      habits ??= await opening()
      await mint.token(newUser())
      return await story(
        tellMint({
          mint,
          userIds: { alice: newUser(), bob: newUser() },
          keyOf,
          ttlSeconds,
          habits,
          clock: parts.clock,
        }),
      )
    },
    unjudged: () => ({
      ...(habits?.rejected.size === 0 && {
        'EXP-45': 'needs a key in mint.keys that the mint rejects when asked first',
      }),
      ...(habits?.seconds.none === null && { 'EXP-44': 'the lifetime of the tokens cannot be read' }),
    }),
    drain: () => session.journal.drain(),
  }
}
