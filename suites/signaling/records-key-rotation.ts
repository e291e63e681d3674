import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { FreshToken } from '../../src/roles/backend/calling-tokens.ts'
import { millisecondsLeft } from '../lib/token-end.ts'

const expiredFirst = 'not known: the kept tokens expired'

const longestSeconds = 65
/** Seconds after the rotation at which a new token is offered; key sets are often asked for once in 30 s. */
const newTrials = [0, 0.5, 1, 2, 4, 8, 15, 20, 25, 31, 40, 50, longestSeconds]
/** Seconds after it at which a kept one is; a key set that is cached may keep the removed key for much longer. */
const oldTrials = [0, 0.5, 1, 2, 4, 8, 15] as const

export default defineCheck({
  id: 'SIG-30',
  level: 'INFO',
  kind: 'positive',
  clauses: ['1.3'],
  title: 'records how soon a rotated signing key takes effect',
  why: 'Until signaling knows the new key no fresh token joins; until it forgets the removed one, tokens of a stolen key do.',
  how: {
    does: [
      'Keeps calling tokens beside one that was accepted, runs hooks.rotateKeys, and offers new tokens until one is accepted, up to 65 s, then the kept ones until one is rejected, up to 15 s after the rotation.',
      'A fresh token that is accepted at the end shows that signaling is up.',
      'Records the seconds, and nothing of kept tokens that have expired.',
      'Runs alone, behind all other requirements: until signaling knows the new key, none of them could be judged.',
    ],
  },
  mints: 35,
  needs: ['callingTokens', 'signaling', 'rotateKeysHook'],
  stage: 'rotating',
  async run(parts, judge) {
    const { callingTokens, signaling, rotateKeysHook, clock } = parts
    await signaling.control()
    // A token may be good for one connection: each try gets one that signaling has not seen.
    const kept = await Promise.all(oldTrials.map(() => callingTokens.fresh()))
    await rotateKeysHook.run()
    const rotatedAt = clock.monotonic()
    const first = await callingTokens.fresh()
    const [old = first] = kept
    const isSameKey = readToken(first.jwt)?.header['kid'] === readToken(old.jwt)?.header['kid']
    judge.observe('signaling.keyIdAfterRotation', isSameKey ? 'the same, or none' : 'another')
    /** The seconds since the rotation after which it is so; null where it is not within the last trial. */
    const watch = async (trials: readonly number[], isSo: (trial: number) => Promise<boolean>) => {
      // Trials whose time is past are left out, but for one.
      const due = trials.filter((seconds) => rotatedAt + seconds * 1000 > clock.monotonic())
      for (const [trial, seconds] of [0, ...due].entries()) {
        await clock.until(rotatedAt + seconds * 1000)
        if (await isSo(trial)) return (clock.monotonic() - rotatedAt) / 1000
      }
      return null
    }
    const untilJoined = (token: FreshToken) =>
      watch(newTrials, async (trial) => {
        const made = await signaling.join(trial === 0 ? token : await callingTokens.fresh())
        return made.outcome === 'accepted'
      })
    // A rejection of such a token says nothing about its key.
    const hasEnded = ({ jwt }: FreshToken) => millisecondsLeft(jwt, clock) <= 0
    const observeOld = (how: string) => judge.observe('signaling.removedKeyRejected', how)
    const untilAccepted = await untilJoined(first)
    judge.observe('signaling.newKeyAccepted', inWords(untilAccepted, newTrials))
    if (untilAccepted === null) {
      const made = await signaling.join(old)
      if (made.outcome === 'refused' && (made.unreachable === true || made.undecided === true))
        throw new ControlLost(`signaling ${made.summary} after hooks.rotateKeys`, [made.exchange])
      if (made.outcome !== 'accepted' && !hasEnded(old)) observeOld('before the new key was accepted')
      return
    }
    if (kept.some(hasEnded)) return observeOld(expiredFirst)
    const untilRejected = await watch(oldTrials, async (trial) => {
      const token = kept[trial]
      const made = token === undefined ? undefined : await signaling.join(token)
      return made?.outcome === 'refused' && made.unreachable !== true
    })
    const hasOneEnded = kept.some(hasEnded)
    // Another node of signaling may learn the key later.
    if ((await untilJoined(await callingTokens.fresh())) === null)
      throw new ControlLost('signaling rejected a fresh token again after it had accepted one of the new key')
    observeOld(hasOneEnded ? expiredFirst : inWords(untilRejected, oldTrials))
  },
})

function inWords(seconds: number | null, trials: readonly number[]): string {
  return seconds === null ? `not within ${trials.at(-1)} s` : `after ${seconds.toFixed(1)} s`
}
