import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintDouble } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache } from './lib/ask-past-cache.ts'
import { isSilent } from './lib/describe-reply.ts'
import { mustHideKey } from './lib/must-hide-key.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

type Certificate = MintDouble['invalidCertificates'][number]

export default defineCheck({
  id: 'BACK-16',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.2'],
  basis:
    'The API key goes to the mint endpoint only: a peer that cannot prove its name is not known to be it (5.2).',
  title: "verifies the mint's TLS certificate before sending the key",
  why: 'Without verification, anyone on the network path can answer as the mint and read the API key.',
  how: {
    does: [
      "The suite's mint double listens with TLS (backend.fakeMint.tls).",
      'Between two controls with its valid certificate, it ends all connections and shows an untrusted, an expired and a wrong-name certificate.',
    ],
    fails: ['A request with the API key over such a connection, and the key in the response to the app.'],
    untested: [
      'A double that listens with plain http has no certificate; does not apply where mintTls is declared absent.',
    ],
  },
  mints: 5,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble, configuration } = parts
    if (mintDouble.invalidCertificates.length === 0) {
      const declared = configuration.absent.find(({ what }) => what === 'mintTls')
      if (declared !== undefined)
        return judge.notApplicable(`declared absent (mintTls): ${declared.reason}`, declared)
      return judge.untested(
        'the mint double listens with plain http, so there is no certificate to verify: set backend.fakeMint.tls to true, or declare mintTls absent',
      )
    }
    await scriptShortLived(mintDouble, async (double) => {
      const meetCertificate = async (name: Certificate) => {
        const before = double.connections()
        double.showCertificate(name)
        // A cached token is waited out, so that the backend has to call the mint.
        const asked = await askPastCache(parts, double)
        double.showCertificate(null)
        return { ...asked, connections: double.connections() - before }
      }
      await attack(judge, {
        control: () => backend.token(),
        cases: mintDouble.invalidCertificates.map((certificate) => ({ name: certificate, certificate })),
        together: false,
        of: 'for a certificate that is',
        async send({ certificate }) {
          const first = await meetCertificate(certificate)
          // A circuit breaker, or a gateway, that a failure has opened is waited out.
          const isOpen = first.connections === 0 && backend.tokenOf(first.reply) === null
          if (isOpen) await backend.token()
          const { reply, calls, connections } = isOpen ? await meetCertificate(certificate) : first
          const when = `after a certificate that is ${certificate}`
          mustHideKey(judge, reply, { apiKey: mintDouble.apiKey, when, clause: '5.2' })
          const withKey = calls.filter((call) =>
            findSecret(JSON.stringify([call.target, call.headers, call.body]), mintDouble.apiKey),
          )
          const unmet =
            backend.tokenOf(reply) === null
              ? 'the backend failed without connecting to the mint'
              : answeredFromCache
          return {
            hasKey: withKey.length > 0,
            unseen: connections === 0 ? unmet : null,
            // A backend that connects again has met the certificate before.
            isUndecided: connections === 1 && withKey.length === 0 && isSilent(reply),
            evidence: [reply.exchange, ...withKey.map(({ exchange }) => exchange)],
          }
        },
        breaches: {
          level: 'must',
          saw: ({ hasKey }) => (hasKey ? 'a request with the API key' : null),
          expected: 'no request over a connection that fails TLS verification (5.2)',
          fix: "Leave certificate verification on, and add the authority to the trust store where the mint's is private.",
          isShown: true,
        },
      })
    })
  },
})
