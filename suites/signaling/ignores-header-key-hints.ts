import { Untested } from '../../src/base/inconclusive.ts'
import { withKeyId, withKeyInHeader } from '../../src/base/tokens/forge-headers.ts'
import { createUntrustedSigner } from '../../src/base/tokens/forge-untrusted.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { startCallbackListener } from './lib/callback-listener.ts'
import { rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchUnseen } from './lib/specimens.ts'

const fix = 'Take keys from configuration only and use kid only to select among them.'

export default defineCheck({
  id: 'SIG-23',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: "The service issues the token: a key that the token brings along is not the service's (1.3).",
  title: 'ignores jwk, jku, x5u and kid key hints',
  why: 'The client writes the header: a key in it, or at a URL in it, proves nothing.',
  how: {
    does: [
      "Signs a fresh token's claims with an untrusted key and puts that key into the header (jwk, x5c), names a URL to fetch it from (jku, x5u, a URL as kid, or an iss that publishes it at /.well-known/jwks.json), or chooses a kid that leads to a predictable key: empty, /dev/null, a path, SQL.",
    ],
    fails: ['A success sign.'],
    warns: [
      'A success sign that the service takes back at once.',
      "A request to the suite's listener, since it shows that clients can send the service to any URL.",
    ],
    untested: [
      'The URLs without signaling.callbackUrl, at which the service reaches that listener: they are offered, and not judged as safe.',
    ],
  },
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, configuration, http }, judge) {
    const { original } = await fetchUnseen({ callingTokens })
    const signer = await createUntrustedSigner(original.header['alg'])
    const { callbackUrl } = signaling.configuration
    await using listener = await startCallbackListener(signer, callbackUrl).catch(
      ({ code = 'an error' }: NodeJS.ErrnoException) => {
        throw new Untested(`cannot listen on the port of signaling.callbackUrl: ${code}`)
      },
    )
    const isReachable = await listener.isReachable(http)
    const forgeries = [...(await withKeyInHeader(original, signer, listener)), ...withKeyId(original)]
    await rejectCredentials(signaling, judge, toCredentials(forgeries), fix)
    const isIgnored = judge.advisory(listener.requestedPaths().length === 0, {
      saw: `${listener.requestedPaths().length} requests to URLs that only a forged token named`,
      expected: 'no request',
      fix: 'Never fetch jku, x5u, a kid or an iss that is not configured.',
    })
    if (!isIgnored) return
    // A bait that the service cannot fetch shows nothing.
    const declared = configuration.absent.find(({ what }) => what === 'callback')
    if (declared !== undefined) judge.notApplicable(`declared absent (callback): ${declared.reason}`)
    else if (callbackUrl === undefined)
      judge.untested(
        'jku, x5u, a URL as kid and iss need signaling.callbackUrl, where the service reaches the suite',
      )
    else if (!isReachable) judge.untested("signaling.callbackUrl does not lead to the suite's listener")
  },
})
