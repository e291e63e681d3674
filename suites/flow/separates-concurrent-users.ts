import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { FetchedToken } from '../../src/roles/backend/driver.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { millisecondsLeft } from '../lib/token-end.ts'
import { wereAtOnce } from '../lib/were-at-once.ts'
import { assertRealTokens, fetchLastingToken } from './lib/joining-tokens.ts'

const rounds = 25
/** Short since a backend may cache the token until its expiry; longer where it expired before signaling answered. */
const lifetimesInSeconds = [5, 30, 60, 300] as const

class ExpiredOnItsWay extends ControlLost {}

export default defineCheck({
  id: 'FLOW-05',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'One JWT is never used for two people (2.1.4).',
  title: 'never mixes up users who connect at the same time',
  why: "State shared between requests shows only under load, and then gives one user another user's identity.",
  how: {
    does: [
      'In 25 rounds, two users fetch a token at once and both join signaling.',
      'Expects a separate token for each: it names its user, and signaling accepts that user under that id.',
      "Where the backend is pointed at the suite's mint double, the double answers in random order.",
    ],
    fails: ['A shared or wrong token, or a rejection that is repeated beside a control.'],
    untested: ['Requests of the users that overlapped in no round.'],
  },
  mints: 52,
  needs: ['backend', 'bob', 'signaling'],
  atOnce: { backend: 2 },
  async run(parts, judge) {
    const { backend, bob, signaling, available, clock, random } = parts
    assertRealTokens(parts)
    const mint = available('mint')
    // A mint may put a fixed text around ids: that is learnt first.
    await mint?.userIdPaths()
    let haveOverlapped = false
    const fetchAtOnce = async () => {
      const [first, second] = await Promise.all([
        fetchLastingToken(parts, backend.alice),
        fetchLastingToken(parts, bob),
      ])
      haveOverlapped ||= wereAtOnce(first.answer, second.answer)
      judge.must(first.jwt !== second.jwt, {
        saw: 'the same token for two users',
        expected: 'a separate token for each user (2.1.4)',
        fix: 'Key caches and pending mint calls by user.',
        evidence: [first.exchange, second.exchange],
      })
      return [first, second]
    }
    // Signaling that accepts no fresh token of the mint, either, shows nothing of the backend.
    const askAgain = async (token: { readonly jwt: string; readonly userId: string }) => {
      if (mint !== undefined) await signaling.control()
      return await signaling.join(token)
    }
    const joinAtOnce = async (fetched: readonly FetchedToken[]) => {
      await Promise.all(
        fetched.map(async ({ jwt, userId, exchange }) => {
          const read = readToken(jwt)
          if (mint !== undefined && read !== null && read.claims !== null)
            judge.must(mint.pathsHolding(read, userId).length > 0, {
              saw: 'a token without the userId of the user who fetched it',
              expected: `a token for ${JSON.stringify(userId)} (2.1.4)`,
              fix: 'Share no state between requests.',
              evidence: [exchange],
            })
          const first = await signaling.join({ jwt, userId })
          const isRejected = first.outcome === 'refused' && first.unreachable !== true
          const attempt = isRejected ? await askAgain({ jwt, userId }) : first
          if (attempt.outcome === 'untestable') throw new Untested(attempt.reason)
          // Silence at one of fifty joins tells nothing of its user.
          if (attempt.outcome === 'refused' && (attempt.unreachable === true || attempt.undecided === true))
            return judge.lost(`signaling did not decide: it ${attempt.summary}`, [attempt.exchange])
          if (attempt.outcome === 'refused' && millisecondsLeft(jwt, clock) <= 0)
            throw new ExpiredOnItsWay('the token expired before signaling answered', [attempt.exchange])
          judge.must(attempt.outcome === 'accepted', {
            saw: `the user's own token not accepted: signaling ${attempt.summary}`,
            expected: 'the user accepted (4.3)',
            fix: 'Keep nothing about a request in a variable that another request can change.',
            evidence: [exchange, attempt.exchange],
          })
        }),
      )
    }

    const connect = async (double: ScriptedMint | null) => {
      const [shortest, ...longer] = lifetimesInSeconds
      double?.lifetime(shortest)
      double?.delay(() => random() * 15)
      for (let round = 0; round < rounds; )
        try {
          await joinAtOnce(await fetchAtOnce())
          round += 1
        } catch (error) {
          const seconds = longer.shift()
          if (!(error instanceof ExpiredOnItsWay) || seconds === undefined) throw error
          double?.lifetime(seconds)
        }
      if (!haveOverlapped) judge.untested(`the requests of the users overlapped in none of ${rounds} rounds`)
    }
    const mintDouble = available('mintDouble')
    await (mintDouble === undefined ? connect(null) : mintDouble.scripted(connect))
  },
})
