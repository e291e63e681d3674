import { mintContract } from '../../src/contract/mint.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { isOfRequest } from '../../src/roles/client/types.ts'
import { findLeaks } from './lib/find-leaks.ts'
import { judgeUnread } from './lib/judge-unread.ts'

export default defineCheck({
  id: 'CLI-03',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1', '5.2'],
  basis: 'The app never calls the mint with the API key (4.1).',
  title: 'never calls the mint or sends a server key',
  why: 'Any party that can read the traffic of a client that mints can mint for every user: the key belongs to the backend.',
  how: {
    does: [
      'A user signs in and connects.',
      "The endpoint's path on one of the customer's own hosts is allowed.",
    ],
    fails: [
      "A request to the mint's endpoint, whose host is known from mint.url or bundle.mintHost.",
      'A server key in a request, in plain text or encoded.',
    ],
    warns: ["Another path on the mint's host."],
  },
  needs: ['client', 'journey'],
  async run({ client, journey, configuration }, judge) {
    const { requests, captured, unreadHosts, notAttempted } = await journey()
    const { mint, bundle } = configuration
    const knowsMint = mint !== undefined || bundle?.mintHost !== undefined
    judge.passed()
    for (const { method, url, host, exchange } of requests) {
      const { host: name, pathname } = new URL(url)
      const isEndpoint = pathname.endsWith(mintContract.path)
      const seen = { saw: `a request of the client, ${method} ${pathname} on ${name}`, evidence: [exchange] }
      judge.must(host !== 'mint' || !isEndpoint, {
        ...seen,
        expected: 'mint calls from the backend only (4.1)',
        fix: 'Request tokens from the backend.',
      })
      judge.advisory(host !== 'mint' || isEndpoint, {
        ...seen,
        expected: "no request to the mint's host (4.1)",
        fix: 'Ask the backend for what the client needs.',
      })
      if (isEndpoint && host !== 'own' && !knowsMint)
        judge.untested(
          `the mint's path was requested on ${name}: needs mint.url or bundle.mintHost to tell whether it is the mint`,
        )
    }
    const sent = captured.filter(({ place }) => isOfRequest(place))
    for (const { capture, leaks, unread } of await findLeaks(sent)) {
      if (unread !== null) judge.untested(`${capture.place} (${capture.name}) was not read whole: ${unread}`)
      for (const { shown, decoder } of leaks.filter(({ kind }) => kind === 'key'))
        judge.must(false, {
          case: `${capture.place} (${capture.name}, ${decoder})`,
          saw: `the server key ${shown} in a request (${capture.place}: ${capture.name}, ${decoder})`,
          expected: 'no server key in a request (5.2)',
          fix: 'Remove the key from the client and revoke it.',
          evidence: capture.exchange === '' ? [] : [capture.exchange],
        })
    }
    judgeUnread(unreadHosts, judge)
    if (notAttempted !== null) throw notAttempted
    if (!client.seesEverything)
      judge.untested(
        `requests of a ${client.kind} to other hosts cannot be observed; PKG-03 audits its bundle`,
      )
  },
})
