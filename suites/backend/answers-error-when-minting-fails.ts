import type { Clock } from '../../src/base/clock.ts'
import { watchForStandstills } from '../../src/base/standstill.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { createFailureWaits } from './lib/failure-waits.ts'
import { createReplyJudge } from './lib/judge-failure-replies.ts'
import { judgeUserOfToken } from './lib/judge-user-of-token.ts'
import { createMeet, meetSilence } from './lib/meet-minting-failure.ts'
import { bodiless, type Failure, hanging, promptFailures } from './lib/minting-failures.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-07',
  role: 'backend',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.1.1', '2.1.4', '4.2.4'],
  basis:
    'The backend answers with an error when the mint call fails (4.2.4), in which no client gets the API key (2.1.1) or the token of another user (2.1.4).',
  title: 'answers with an error when minting fails',
  why: 'A failure that looks like a success gives the app an undefined token; a request that never ends leaves the user waiting.',
  how: {
    does: [
      "The suite's mint double answers with each status of clause 7 and with server errors, hangs, resets, refuses connections, and redirects, sends headers without a body, and answers 200 with HTML, plain text, an empty body, JSON without a token, with an empty or numeric token, or truncated JSON.",
      'Expects a non-2xx response without a token each time; a control precedes each case.',
      'A second user has got a token before, which expires before the mint hangs.',
      'After two failures without a response, the others are waited for four times as long as the slowest answer took, at least a second, and stay untested where none comes.',
    ],
    fails: [
      'A 2xx response or a token; of the second user, the expired token.',
      'A token that the mint issued for the other user, also where a breaker or a cache answers without a mint call.',
      'The API key in a response: what BACK-08 finds for fewer failures.',
      'No response within limits.neverSeconds, where that is set.',
    ],
    warns: [
      "The second user's token while it is still valid.",
      'A 2xx response to a 200 without a token that has for its token what the example of clause 4.1 takes: the field of the mint, else the whole body.',
      'A response later than limits.backendAnswerSeconds, or none within three times as long; the seconds are measured.',
      'A status other than 502, or a body without the string "error".',
    ],
    untested: [
      'A failure that no mint call has met, as behind a cache of tokens.',
      'A late response while this machine stood still.',
    ],
  },
  mints: 25,
  needs: ['backend', 'mintDouble'],
  stage: 'straining',
  async run(parts, judge) {
    const { backend, mintDouble, available, clock, configuration } = parts
    const { backendAnswerSeconds, neverSeconds } = configuration.limits
    const promptMs = backendAnswerSeconds * 1000
    const longestMs = neverSeconds === undefined ? promptMs * measuredTimes : neverSeconds * 1000
    const waits = createFailureWaits({ promptMs, longestMs })
    // The controls are alice's, so that a cache of her tokens hides no failure.
    const bob = available('bob')
    const session = bob ?? backend.alice
    const meet = createMeet(clock, { promptMs, longestMs, waits })
    using standstills = watchForStandstills()
    const replies = createReplyJudge(parts, judge, {
      standstills,
      userId: session.userId,
      apiKey: mintDouble.apiKey,
      waits,
    })
    const askWhile = async (
      failure: Failure,
      double: ScriptedMint,
      { user, deadlineMs, unmetMs }: { user: UserSession; deadlineMs: number; unmetMs: number | undefined },
    ) => {
      const asked = await askPastCache(
        parts,
        double,
        { session: user, deadlineMs, case: `an ordinary request while the mint ${failure.name}` },
        unmetMs,
      )
      judgeUserOfToken(judge, backend, double, {
        name: failure.name,
        replies: asked.replies,
        users: { own: user.userId, other: user === session ? backend.alice.userId : session.userId },
      })
      return asked
    }
    await mintDouble.scripted(async (double) => {
      // A token that a backend could fall back on. It has expired by the last of the failures, the only
      // ones that take time.
      double.lifetime(1)
      // Without one, where the mint refuses so short a lifetime.
      const last =
        bob === undefined
          ? null
          : backend.tokenOf(await backend.request({ session: bob, followRedirects: true }))
      double.lifetime(shortLifetime)
      for (const failure of promptFailures) {
        waits.note((await backend.token()).answer)
        const asked = await meet(failure, (patience) =>
          failure.fail(double, () => askWhile(failure, double, { user: session, ...patience })),
        )
        waits.note(asked.reply)
        await replies.judge(failure, asked, double)
        double.answer(null)
      }
      await backend.token()
      if (last !== null) await waitForEnd(last, clock)
      const askAs = (user: UserSession) => () =>
        askWhile(hanging, double, {
          user,
          deadlineMs: waits.deadlineMs(),
          unmetMs: promptMs,
        })
      const met = await meetSilence(double, {
        ask: askAs(session),
        askBeside: askAs(backend.alice),
        isSameUser: bob === undefined,
        promptMs,
        waits,
      })
      await replies.judge(hanging, met.hung, double)
      await replies.judge(bodiless, met.bodiless, double)
    })
    replies.conclude()
  },
})

/** So many times `limits.backendAnswerSeconds` a response is waited for, unless `limits.neverSeconds` says how long. */
const measuredTimes = 3

/** Allows for clock skew between the issuer and this machine. */
const marginMs = 100

/** Waits until a token of a second has expired; one that lives longer, since its mint grants no less, is not waited for. */
async function waitForEnd(jwt: string, clock: Clock): Promise<void> {
  const exp = readToken(jwt)?.claims?.['exp']
  const leftMs = typeof exp === 'number' ? exp * 1000 - clock.wall() : 0
  if (leftMs > 0 && leftMs <= 1000) await clock.until(clock.monotonic() + leftMs + marginMs)
}
