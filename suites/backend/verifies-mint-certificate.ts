import { findSecret } from '../../src/base/evidence/find-secret.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { answeredFromCache, askPastCache } from './lib/ask-past-cache.ts'
import { mustHideKey } from './lib/find-in-reply.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { isUnanswered, printRequest } from './lib/variant-leaks.ts'
import { watchQuiet } from './lib/watch-quiet.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-16',
  role: 'backend',
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
      'A request that met no response.',
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
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      const control = async () => void (await backend.token())
      // A cached token is waited out, so that the backend has to call the mint.
      const meetCertificate = async (name: (typeof mintDouble.invalidCertificates)[number]) => {
        const before = double.connections()
        double.showCertificate(name)
        const asked = await askPastCache(parts, double)
        const connections = double.connections() - before
        double.showCertificate(null)
        return { ...asked, connections }
      }
      await control()
      for (const name of mintDouble.invalidCertificates) {
        const first = await meetCertificate(name)
        // A circuit breaker, or a gateway, that a failure has opened is waited out.
        const isOpen = first.connections === 0 && backend.tokenOf(first.reply) === null
        if (isOpen) await control()
        const { reply, calls, connections } = isOpen ? await meetCertificate(name) : first
        const when = `after a certificate that is ${name}`
        mustHideKey(judge, reply, { apiKey: mintDouble.apiKey, when, clause: '5.2' })
        const withKey = calls.filter((call) =>
          findSecret(JSON.stringify([call.target, call.headers, call.body]), mintDouble.apiKey),
        )
        if (connections === 0) {
          judge.untested(
            backend.tokenOf(reply) === null
              ? `the backend failed without connecting to the mint, so it did not meet the certificate that is ${name}`
              : answeredFromCache,
          )
          continue
        }
        // A backend that connects again has met the certificate before.
        if (connections === 1 && withKey.length === 0 && leaveUndecided(judge, reply, when)) continue
        judge.must(withKey.length === 0, {
          case: `a certificate that is ${name}`,
          saw: `a request with the API key over a connection whose certificate is ${name}`,
          expected: 'no request over a connection that fails TLS verification (5.2)',
          fix: "Leave certificate verification on, and add the authority to the trust store where the mint's is private.",
          evidence: [reply.exchange, ...withKey.map(({ exchange }) => exchange)],
          isShown: true,
        })
      }
      // A call that a backend was making by itself as the connections ended takes others of its pool with it.
      await watchQuiet(double, parts.clock)
      await control()
    })
  },
  catches: {
    'prints the request that it did not send': { backend: printRequest((headers) => headers, isUnanswered) },
    'verifies nothing': { backend: { mintTls: { rejectUnauthorized: false } } },
    'verifies the authority, but not the name': {
      backend: { mintTls: { checkServerIdentity: () => undefined } },
    },
  },
})
