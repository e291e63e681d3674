import { ControlLost } from '../../base/inconclusive.ts'
import type { CommonContext, Needed } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { StateKey } from '../../roles/mint/types.ts'
import type { Subject } from '../engine/subject.ts'
import { mintInvariants } from './invariants.ts'
import {
  type Key,
  type MintStep,
  makePlain,
  makeSteps,
  type StateName,
  stateKeys,
  wrongKeys,
} from './steps.ts'
import { type Habits, tellMint } from './tell-mint.ts'

/** Parts that stories about the mint need. */
export const mintNeeds = ['mint'] as const
export type MintParts = CommonContext & Pick<Needed, (typeof mintNeeds)[number]>

export interface MintSubjectOptions {
  readonly restart?: (() => Promise<void>) | undefined
}

const longSeconds = 900
const shortSeconds = 120

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
  const unknown = `ac_live_${randomBytes(20).toString('hex')}`
  const last = mint.apiKey.at(-2) === '7' ? 'a' : '7'
  const keyOf = (key: Key): string | null | undefined => {
    if (key === 'the right key') return mint.apiKey
    if (key === 'the key of another project') return available('otherProjectKey')
    if (key === 'no key') return null
    if (key === 'an unknown key') return unknown
    if (key === 'a key cut short') return mint.apiKey.slice(0, -4)
    if (key === 'a key with another end') return mint.apiKey.slice(0, -2) + last + mint.apiKey.slice(-1)
    return states[key]?.key
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
      const { byClaims, byClock } = (
        await mint.token(newUser(), asked === undefined ? {} : { ttlSeconds: asked })
      ).lifetime
      return byClaims ?? byClock
    }
    const granted = { none: await secondsOf(undefined), short: await secondsOf(ttlSeconds.short) }
    // A mint may refuse what it finds too long.
    const long = await secondsOf(ttlSeconds.long).catch((error: unknown) => {
      if (error instanceof ControlLost) return undefined
      throw error
    })
    const rejected = new Set<StateName>()
    for (const name of stateKeys) {
      const key = states[name]?.key
      if (key === undefined) continue
      const reply = await mint.request({ key, userId: newUser(), expectsLimit: true })
      if (reply.kind === 'answer' && mint.issuedBy(reply) === null) rejected.add(name)
    }
    return {
      rejected,
      seconds: { ...granted, long },
      namesUser: (await mint.facts()).userIdPaths.length > 0,
    }
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
