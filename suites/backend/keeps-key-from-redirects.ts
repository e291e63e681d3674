import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { askWhile, explainNoCall } from './lib/ask-past-cache.ts'
import { isSilent } from './lib/describe-reply.ts'
import { hostIn, isLoopback, nameOtherHost } from './lib/name-other-host.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

const statuses = [301, 302, 303, 307, 308] as const
const movedPath = '/moved/calling/token'

export default defineCheck({
  id: 'BACK-15',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.2'],
  basis: 'The API key goes to the mint endpoint only (5.2).',
  title: 'sends no API key to another origin on redirects',
  why: 'A redirect comes from whatever answers at the mint address: a backend that follows it with its headers gives the key away.',
  how: {
    does: [
      "The suite's mint double answers 301, 302, 303, 307 and 308 with a Location at a second origin of the suite, at another host name and port: localhost for 127.0.0.1, an address for a name.",
      'Passes where the backend does not follow, or follows without the key.',
    ],
    fails: ['The key in a request to that origin.'],
    untested: [
      'A client that keeps its headers on another port of the same host.',
      "A double off loopback, where the backend follows a redirect within the double's origin and nothing arrives at the second one.",
      'A machine that has one name only.',
    ],
  },
  mints: 7,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await scriptShortLived(mintDouble, async (double) => {
      await using other = await double.openSecondOrigin()
      const scheme = other.isSecure ? 'https' : 'http'
      await attack(judge, {
        control: () => backend.token(),
        cases: statuses.map((status) => ({ name: `status ${status}`, status })),
        together: false,
        of: 'after a redirect of the mint by',
        async send({ status }) {
          const isFollowing = await followsWithin(double, status)
          const before = other.requests().length
          const { reply, calls } = await redirected(
            double,
            status,
            (call) => `${scheme}://${otherHost(call) ?? hostIn(call)}:${other.port}/calling/token`,
          )
          const arrived = other.requests().slice(before)
          const withKey = arrived.filter(({ text }) => findSecret(text, mintDouble.apiKey) !== null)
          judge.observe(`backend.redirect${status}`, describe(isFollowing, arrived.length))
          const isReached = arrived.length > 0 || !isFollowing
          const explain = () => {
            if (calls.length === 0) return explainNoCall(backend, reply)
            if (calls.some((call) => otherHost(call) === null))
              return `this machine has no other name than ${calls.map(hostIn)[0]} for the backend`
            return isReached || calls.every((call) => isLoopback(hostIn(call)))
              ? null
              : `the backend follows redirects, but the second origin on port ${other.port} cannot be shown to be reachable from it`
          }
          const unseen = explain()
          return {
            hasKey: withKey.length > 0,
            unseen,
            isUndecided: unseen === null && arrived.length === 0 && isSilent(reply),
            evidence: [reply.exchange, ...withKey.map(({ exchange }) => exchange)],
          }
        },
        breaches: {
          level: 'must',
          saw: ({ hasKey }) => (hasKey ? 'the API key in a request to another origin' : null),
          expected: 'the key at the mint endpoint only (5.2)',
          fix: 'Do not follow redirects of the mint, or drop the Authorization header when the host changes.',
          isShown: true,
        },
      })
    })

    async function followsWithin(double: ScriptedMint, status: number): Promise<boolean> {
      const before = double.probes().length
      const { calls } = await redirected(double, status, () => movedPath)
      // A client that changes to GET and drops the key has followed, too.
      const followed = [...calls, ...double.probes().slice(before)]
      return followed.some(({ target }) => target.startsWith(movedPath))
    }

    function redirected(double: ScriptedMint, status: number, locationFor: (call: DoubleCall) => string) {
      return askWhile(parts, double, (call, ordinary) =>
        call.target.startsWith(movedPath)
          ? ordinary()
          : { status, headers: { location: locationFor(call) }, body: '' },
      )
    }
  },
})

function otherHost(call: DoubleCall): string | null {
  return nameOtherHost(hostIn(call), call.arrivedAt)
}

function describe(isFollowing: boolean, arrived: number): string {
  if (arrived > 0) return 'followed to another origin'
  return isFollowing ? 'followed within the origin only' : 'not followed'
}
