import { askPlainTwin, unaskedTwin } from '../../src/base/http/plain-twin.ts'
import { isLoopbackName } from '../../src/base/http/requested-address.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { offersOldVersion } from '../../src/base/tls/offers-old-version.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-18',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'serves the token route over TLS 1.2 or later only',
  why: 'Over plain http or an old version of TLS, anyone on the network path can read the session and the calling token.',
  how: {
    does: [
      'Asks the http address beside backend.url (the usual port for the usual port, else the same one) with a made-up session.',
      'Passes with a redirect, another status or a closed port.',
    ],
    warns: [
      'An answer there as https gives it, since it serves the route; on loopback only where the real session, sent then, gets a token.',
      'A handshake of TLS 1.0 or 1.1.',
      'A backend.url of plain http off loopback.',
    ],
    untested: [
      'No response over http or to a handshake, where the route answers slowly over https as well.',
      'Does not apply to plain http on loopback.',
    ],
  },
  mints: 2,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend, configuration, http, randomBytes } = parts
    const url = new URL(backend.url)
    if (url.protocol !== 'https:') {
      if (isLoopbackName(url.hostname))
        return judge.notApplicable('backend.url is plain http on loopback, which needs no TLS')
      judge.advisory(false, {
        saw: 'a token route at plain http off loopback',
        expected: 'https',
        fix: 'Serve the token route over TLS only.',
      })
      return
    }
    const unasked = unaskedTwin(backend.url, configuration.proxy)
    if (unasked !== null) return judge.untested(unasked)
    const { exchange } = await withShortLivedTokens(parts, () => backend.token())
    const version = await offersOldVersion(url.hostname, Number(url.port || 443))
    if (version === undefined) judge.untested('a handshake of TLS 1.1 and a usual one were both slow')
    else {
      judge.observe('backend.oldTlsVersion', version)
      judge.advisory(version === null, {
        saw: `a handshake of ${version}`,
        expected: 'TLS 1.2 or later',
        fix: 'Disable TLS 1.0 and 1.1.',
      })
    }
    const { secure, plain, withReal, isAlike } = await withShortLivedTokens(parts, async () =>
      askPlainTwin(http, {
        to: 'backend',
        // The fixed parts of every call may be secret: they go along with the real session only.
        requestWith: (session, isReal) =>
          backend.compose({ authorization: `Bearer ${session}`, fixed: isReal ? 'all' : 'none' }),
        madeUp: randomBytes(24).toString('base64url'),
        real: (await backend.exactSession(backend.alice)).token,
      }),
    )
    if (secure.kind === 'no-answer')
      throw new ControlLost(`the backend ${secure.message}, asked with a made-up session`, [secure.exchange])
    const isServed = withReal === null ? isAlike : backend.tokenOf(withReal) !== null
    judge.advisory(!isServed, {
      saw:
        withReal === null
          ? `the token route at plain http: it answers a made-up session as https does, with ${secure.status}`
          : 'a calling token over plain http',
      expected: 'https only',
      fix: 'Close the http port, or answer there with a redirect to https.',
      evidence: [exchange, plain.exchange, ...(withReal === null ? [] : [withReal.exchange])],
    })
  },
})
