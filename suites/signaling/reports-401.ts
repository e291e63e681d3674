import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Attempt, Refused } from '../../src/roles/signaling/attempt.ts'
import { isBrokenOff } from '../../src/roles/signaling/driver.ts'
import { type Credential, judgeReached, offering, toCredentials } from './lib/reject-credentials.ts'
import { fetchSignedToken, signAsEnded } from './lib/resign.ts'
import { tamperedFrom } from './lib/specimens.ts'

const longAgoSeconds = 100_000_000
const moreTries = 2

export default defineCheck({
  id: 'SIG-08',
  level: 'SHOULD',
  kind: 'positive',
  clauses: ['7.3', '5.6'],
  title: 'reports a rejected token as 401',
  why: 'A client mints again on a 401. After a generic close it retries the same rejected token until its attempts are exhausted.',
  how: {
    does: [
      'Between two controls, sends tampered tokens and, with token.signWith, an expired one.',
      'Records the responses to a missing credential and to garbage.',
    ],
    warns: ['A rejection without any of the signs that the profile lists under unauthorized.'],
    untested: ['An HTTP 401, or a close with 3000 or 4401, that the profile does not list there.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, available, unknownUser }, judge) {
    const testKey = available('testKey')
    const { jwt, userId } = await callingTokens.fresh()
    const forgeries = tamperedFrom(jwt, userId, unknownUser()).filter(({ name }) =>
      name.includes('byte of its'),
    )
    const cases: Credential[] = toCredentials(forgeries.slice(0, 3))
    if (testKey !== undefined) {
      const own = await fetchSignedToken(testKey, callingTokens.fresh, judge)
      const token = own && (await signAsEnded(testKey, own, longAgoSeconds))
      if (token) cases.push({ name: 'an expired token', token, userId: own.userId })
    }
    const offers = offering(signaling, cases)
    await attack(judge, {
      ...offers,
      async send(one, isAgain) {
        let seen = await offers.send(one, isAgain)
        // One that is broken off more than once may still have met an overload.
        for (let more = 0; isAgain && more < moreTries && isBrokenOff(seen.made); more += 1)
          seen = await offers.send(one, isAgain)
        return { ...seen, unseen: seen.unseen ?? whyUnseen(seen.made) }
      },
      breaches: {
        level: 'should',
        saw: ({ made }) =>
          made.outcome !== 'refused' || made.unauthorized || made.unreachable
            ? null
            : `no 401, and signaling ${withoutTime(made.summary)},`,
        expected: 'a sign that the profile lists under unauthorized (7.3)',
        fix: 'Report a rejected token as 401.',
      },
      async judgeAll(tried) {
        judgeReached(tried, judge)
        for (const [place, token, what] of [
          ['signaling.withoutCredential', null, 'no credential'],
          ['signaling.withGarbage', 'garbage', 'garbage'],
        ] as const) {
          const made = await signaling.attempt({ token, declaredUser: unknownUser(), case: what })
          judge.observe(place, { how: made.summary, as401: made.unauthorized })
        }
      },
    })
  },
})

function whyUnseen(made: Attempt): string | null {
  if (made.outcome === 'accepted') return 'a success sign, so that no rejection can be judged,'
  if (made.outcome === 'untestable' || made.unauthorized || !isUsual401(made)) return null
  return `signaling ${made.summary}, which signaling.profile.unauthorized does not list: add it there;`
}

/** How long a silence lasted is the suite's own patience. */
function withoutTime(summary: string): string {
  const silent = 'stayed silent'
  return summary.startsWith(silent) ? silent : summary
}

/** The status itself, or a close code that is registered for it or written like it. */
function isUsual401({ events }: Refused): boolean {
  const { type, code = 0 } = events.at(-1) ?? {}
  return (type === 'http' && code === 401) || (type === 'close' && [3000, 4401].includes(code))
}
