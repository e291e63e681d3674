import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import { collectSessions } from '../../src/roles/client/capture/locate-secrets.ts'
import { otherOriginPath } from '../../src/roles/client/proxy/hosts.ts'
import type { ClientApp, SeenRequest } from '../../src/roles/client/types.ts'
import { judgeUnread } from './lib/judge-unread.ts'
import { asksAgain, openAsked } from './lib/open-asked.ts'

/** 302 turns a POST into a GET; 307 repeats it with its body. */
const statuses = [302, 307] as const

export default defineCheck({
  id: 'CLI-20',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['5.1'],
  basis: "The sessionToken goes to the customer's API only, and the calling JWT to signaling (5.1).",
  title: 'sends neither token after a redirect to another origin',
  why: 'An HTTP library that repeats its headers after a redirect gives the token to the server that the Location names.',
  how: {
    does: [
      "The token route answers 302 and then 307 with the Location of another origin, where the suite sees every request; after a success, signaling's upgrade is answered with 302 to it.",
      'Passes where the client does not follow, or follows without a token.',
      'As a control, the client then connects.',
    ],
    fails: ['A sessionToken or calling JWT in a request there, in any encoding.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    if (client.kind === 'observed' && !client.seesEverything)
      return judge.untested(
        'a device without the proxy cannot be redirected to an address where the suite sees its requests',
      )
    let app: ClientApp | null = null
    const askedAgain = async (before: ClientApp | null, prepare: (app: ClientApp) => void) => {
      if (before !== null && (await asksAgain(before, prepare))) return before
      // A request that follows a redirect may come late.
      if (before !== null) judgeRequests(before, 'a redirect', judge)
      await before?.[Symbol.asyncDispose]()
      app = null
      app = await openAsked(client, { withOtherOrigin: true }, prepare)
      return app
    }
    try {
      for (const status of statuses) {
        const asked = await askedAgain(app, ({ backend, otherOrigin }) =>
          backend.answer(() => ({
            status,
            headers: { location: String(otherOrigin) + otherOriginPath },
            body: '',
          })),
        )
        await asked.waitForQuiet()
        judgeRequests(asked, `the token route answered ${status}`, judge)
      }
      const asked = await askedAgain(app, ({ backend, signaling, otherOrigin }) => {
        backend.answer(null)
        const before = signaling.attempts().length
        const location = String(otherOrigin).replace('http', 'ws') + otherOriginPath
        signaling.answer(
          () => (signaling.attempts().length === before + 1 ? { http: 302, location } : 'ordinary'),
          'at the upgrade',
        )
      })
      await asked.waitForAttempt()
      await asked.waitForQuiet()
      judgeRequests(asked, "signaling's upgrade was answered with 302", judge)
      await asked.establish()
      judgeRequests(asked, "signaling's upgrade was answered with 302", judge)
      judgeUnread(asked.unreadHosts(), judge)
    } finally {
      await (app as ClientApp | null)?.[Symbol.asyncDispose]()
    }
  },
})

/** Each request is named with the redirect that caused it. */
const judged = new WeakSet<SeenRequest>()

function judgeRequests(app: ClientApp, when: string, judge: Judge): void {
  const secrets = [
    ...collectSessions(app, []).map((secret) => ({ kind: 'the sessionToken', secret })),
    ...app.issued().map(({ jwt }) => ({ kind: 'the calling JWT', secret: jwt })),
  ]
  judge.passed()
  for (const request of app.requests().filter(isRedirected)) {
    if (judged.has(request)) continue
    judged.add(request)
    for (const { kind, secret } of secrets) {
      const encoding = findSecret(textOf(request), secret)
      judge.must(encoding === null, {
        case: `${kind} after ${when}`,
        saw: `${kind} sent to another origin after ${when} with its Location${encoding === 'plain' ? '' : ` (${encoding})`}`,
        expected: 'no token at another origin (5.1)',
        fix: 'Do not follow redirects, or drop the token when the origin changes.',
        evidence: [request.exchange],
      })
    }
  }
}

function isRedirected({ url }: SeenRequest): boolean {
  return new URL(url).pathname === otherOriginPath
}

function textOf({ url, headers, body }: SeenRequest): string {
  return [url, ...headers.flat(), body].join('\n')
}
