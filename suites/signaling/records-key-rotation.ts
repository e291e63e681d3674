import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'

type Parts = CheckContext<'callingTokens' | 'signaling' | 'rotateKeysHook'>

/** Seconds after the rotation at which it is tried what has changed; key sets are often cached for longer. */
const trials = [0, 0.5, 1, 2, 4, 8, 15] as const

export default defineCheck({
  id: 'SIG-30',
  role: 'signaling',
  level: 'INFO',
  kind: 'positive',
  clauses: ['1.3'],
  title: 'records how soon a rotated signing key takes effect',
  why: 'Until signaling knows the new key no fresh token joins; until it forgets the removed one, tokens of a stolen key do.',
  how: {
    does: [
      'Keeps calling tokens beside one that was accepted, runs hooks.rotateKeys, and offers new tokens until one is accepted, then the kept ones until one is rejected, up to 15 s.',
      'A fresh token that is accepted at the end shows that signaling is up.',
      'Records the seconds.',
      'Runs alone, after the other requirements.',
    ],
  },
  mints: 17,
  phase: 'last',
  needs: ['callingTokens', 'signaling', 'rotateKeysHook'],
  async run(parts, judge) {
    const { callingTokens, signaling, rotateKeysHook, clock } = parts
    await signaling.control()
    // A token may be good for one connection: each try gets one that signaling has not seen.
    const kept = await Promise.all(trials.map(() => callingTokens.fresh()))
    await rotateKeysHook.run()
    const rotatedAt = clock.monotonic()
    const first = await callingTokens.fresh()
    const isNew = kidOf(first.jwt) !== kidOf(kept[0]?.jwt ?? '')
    judge.observe('signaling.keyIdAfterRotation', isNew ? 'another' : 'the same, or none')
    const untilAccepted = await watch(parts, rotatedAt, async (trial) => {
      const token = trial === 0 ? first : await callingTokens.fresh()
      return (await signaling.join(token)).outcome === 'accepted'
    })
    judge.observe('signaling.newKeyAccepted', inWords(untilAccepted))
    if (untilAccepted === null) {
      const old = kept[0] === undefined ? undefined : await signaling.join(kept[0])
      if (old?.outcome === 'accepted') return
      throw new ControlLost('signaling accepts neither old nor new tokens after hooks.rotateKeys')
    }
    const untilRejected = await watch(parts, rotatedAt, async (trial) => {
      const old = kept[trial]
      const made = old === undefined ? undefined : await signaling.join(old)
      return made?.outcome === 'refused' && made.unreachable !== true
    })
    await signaling.control()
    judge.observe('signaling.removedKeyRejected', inWords(untilRejected))
  },
  catches: {},
})

/** The seconds since the rotation after which it is so; null where it is not within the last trial. */
async function watch(
  { clock }: Parts,
  since: number,
  isSo: (trial: number) => Promise<boolean>,
): Promise<number | null> {
  for (const [trial, seconds] of trials.entries()) {
    await clock.until(since + seconds * 1000)
    if (await isSo(trial)) return (clock.monotonic() - since) / 1000
  }
  return null
}

function inWords(seconds: number | null): string {
  return seconds === null ? `not within ${trials.at(-1)} s` : `after ${seconds.toFixed(1)} s`
}

function kidOf(jwt: string): unknown {
  return readToken(jwt)?.header['kid']
}
