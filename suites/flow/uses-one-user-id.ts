import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import { assertTokenField } from '../../src/roles/backend/driver.ts'
import { askPastCache } from '../backend/lib/ask-past-cache.ts'
import { scriptShortLived } from '../backend/lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'FLOW-02',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.3', '5.4'],
  basis: 'The userId is the same in the mint request, in the JWT and in the SDK (2.1.3, 5.4).',
  title: 'uses one userId in the mint request and the token',
  why: 'Peers dial the userId: a token for another spelling of it belongs to another user, or to none.',
  how: {
    does: [
      "With the backend pointed at the suite's mint double, two users request a token.",
      'Expects the configured id, character for character, in the mint request and in the returned token.',
    ],
    fails: ['A case-folded, trimmed or prefixed id.'],
  },
  mints: 4,
  needs: ['backend', 'bob', 'mintDouble'],
  drives: ['backend'],
  async run(parts, judge) {
    const { backend, bob, mintDouble, available } = parts
    const mint = available('mint')
    await scriptShortLived(mintDouble, async (double) => {
      const follow = async (name: string, session: UserSession) => {
        const { reply, calls } = await askPastCache(parts, double, { session })
        const jwt = backend.tokenOf(reply)
        const { exchange } = reply
        if (jwt === null && !backend.hasServed(backend.alice)) assertTokenField(reply)
        if (jwt === null) throw new ControlLost(`the backend returned no token for ${name}`, [exchange])
        const [call] = calls
        if (call === undefined)
          return judge.untested(
            `the backend answered ${name} from a cache, so its mint request could not be inspected`,
          )
        // Beside it, a backend may mint for others by itself.
        const { userId, exchange: minted } = calls.find(({ issued }) => issued === jwt) ?? call
        judge.must(userId === session.userId, {
          case: name,
          saw: `a mint request for ${name} with userId ${JSON.stringify(userId)}`,
          expected: `${JSON.stringify(session.userId)} (2.1.3)`,
          fix: 'Send the stable id unchanged, or correct userId in backend.sessions.',
          evidence: [exchange, minted],
        })
        const read = readToken(jwt)
        if (mint === undefined || read?.claims === null || read === null)
          return judge.observe(`${name}.tokenRead`, false)
        // A mint may put a fixed text around ids: that is learnt first.
        await mint.userIdPaths()
        judge.must(mint.pathsHolding(read, session.userId).length > 0, {
          case: name,
          saw: `a token for ${name} without a claim equal to ${JSON.stringify(session.userId)}`,
          expected: 'the userId of the mint request in the token (2.1.3)',
          fix: 'Put the userId of the mint request into the token unchanged.',
          evidence: [exchange],
        })
      }
      await follow('alice', backend.alice)
      await follow('bob', bob)
    })
  },
})
