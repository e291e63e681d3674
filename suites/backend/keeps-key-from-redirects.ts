import { findSecret } from '../../src/base/evidence/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import type { SecondOrigin } from '../../src/roles/mint/second-origin.ts'
import { askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { hostIn } from './lib/host-in-call.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { isLoopback, nameOtherHost } from './lib/name-other-host.ts'
import { followRedirects } from './lib/variant-redirects.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

const statuses = [301, 302, 303, 307, 308] as const
/** The path of a redirect within the mint's own origin. */
const movedPath = '/moved/calling/token'

export default defineCheck({
  id: 'BACK-15',
  role: 'backend',
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
      'A request that met no response.',
    ],
  },
  mints: 12,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      await using other = await double.openSecondOrigin()
      await judge.sandwich(
        () => backend.token(),
        async () => {
          for (const status of statuses) {
            // A circuit breaker opens after failures in a row, so that the mint would not be called.
            await backend.token()
            const isFollowing = await followsWithin(double, status)
            const before = other.requests().length
            const { reply, calls } = await redirected(double, status, (call) => otherAddress(call, other))
            const arrived = other.requests().slice(before)
            const withKey = arrived.filter(({ text }) => findSecret(text, mintDouble.apiKey) !== null)
            if (calls.length === 0) judge.untested(explainNoCall(backend, reply))
            else if (calls.some((call) => otherHost(call) === null))
              judge.untested(`this machine has no other name than ${calls.map(hostIn)[0]} for the backend`)
            else if (arrived.length === 0 && isFollowing && !calls.every((call) => isLoopback(hostIn(call))))
              judge.untested(
                `the backend follows redirects (${status}), but the second origin on port ${other.port} cannot be shown to be reachable from it`,
              )
            else if (arrived.length > 0 || !leaveUndecided(judge, reply, `after a redirect by ${status}`))
              judge.must(withKey.length === 0, {
                case: `status ${status}`,
                saw: `the API key in a request to another origin after the mint answered ${status} with a redirect`,
                expected: 'the key at the mint endpoint only (5.2)',
                fix: 'Do not follow redirects of the mint, or drop the Authorization header when the host changes.',
                evidence: [reply.exchange, ...withKey.map(({ exchange }) => exchange)],
                isShown: true,
              })
            judge.observe(`backend.redirect${status}`, describe(isFollowing, arrived.length))
          }
        },
      )
    })

    /** Says whether the backend follows this redirect where it stays with the mint. */
    async function followsWithin(double: ScriptedMint, status: number): Promise<boolean> {
      const before = double.probes().length
      const { calls } = await redirected(double, status, () => movedPath)
      // A client that changes to GET and drops the key has followed, too.
      const followed = [...calls, ...double.probes().slice(before)]
      return followed.some(({ target }) => target.startsWith(movedPath))
    }

    async function redirected(
      double: ScriptedMint,
      status: number,
      locationFor: (call: DoubleCall) => string,
    ): Promise<{ reply: Reply; calls: readonly DoubleCall[] }> {
      const ask = async () => {
        double.answer((call, ordinary) =>
          call.target.startsWith(movedPath)
            ? ordinary()
            : { status, headers: { location: locationFor(call) }, body: '' },
        )
        const asked = await askPastCache(parts, double)
        double.answer(null)
        return asked
      }
      const first = await ask()
      if (first.calls.length > 0 || backend.tokenOf(first.reply) !== null) return first
      // One failure opens some circuit breakers.
      await backend.token()
      return await ask()
    }
  },
  catches: {
    'follows redirects with all its headers': { backend: { callMint: followRedirects({}) } },
    'follows only those that keep the method': {
      backend: { callMint: followRedirects({ statuses: [307, 308] }) },
    },
    'follows only those that change to GET': {
      backend: { callMint: followRedirects({ statuses: [301, 302, 303] }) },
    },
    'moves the key to the query': {
      backend: {
        callMint: followRedirects({
          change: (url, { authorization, ...headers }) => {
            url.searchParams.set('key', authorization?.slice(7) ?? '')
            return headers
          },
        }),
      },
    },
    'moves the key to another header': {
      backend: {
        callMint: followRedirects({
          change: (_, { authorization = '', ...headers }) => ({
            ...headers,
            'x-forwarded-authorization': Buffer.from(authorization).toString('base64'),
          }),
        }),
      },
    },
  },
})

function otherAddress(call: DoubleCall, { port, isSecure }: SecondOrigin): string {
  return `${isSecure ? 'https' : 'http'}://${otherHost(call) ?? hostIn(call)}:${port}/calling/token`
}

function otherHost(call: DoubleCall): string | null {
  return nameOtherHost({ host: hostIn(call), arrivedAt: call.arrivedAt })
}

function describe(isFollowing: boolean, arrived: number): string {
  if (arrived > 0) return 'followed to another origin'
  return isFollowing ? 'followed within the origin only' : 'not followed'
}
