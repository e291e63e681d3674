import { isLoopbackName } from '../../src/base/http/requested-address.ts'
import { Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'SIG-01',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.3'],
  basis: 'The address of signaling is a secure WebSocket (4.3).',
  title: 'uses wss',
  why: 'The calling token is a bearer credential: any party that reads it in transit can join as the user.',
  how: {
    does: [
      'Reads the configured address.',
      'Expects wss; ws is accepted only on loopback, or where allowInsecureTransport explicitly gives up the protection.',
    ],
    fails: ['Any other address.'],
  },
  needs: [],
  drives: [],
  run({ configuration: { signaling } }, judge) {
    if (signaling === undefined) throw new Untested('needs signaling.url')
    const { protocol, hostname } = new URL(signaling.url)
    const excused = isLoopbackName(hostname) || signaling.allowInsecureTransport
    judge.must(protocol === 'wss:' || excused, {
      saw: `a signaling URL with ${protocol}// off loopback`,
      expected: 'wss (4.3)',
      fix: 'Serve signaling over TLS.',
    })
    judge.observe('signaling.scheme', protocol.slice(0, -1))
    return Promise.resolve()
  },
})
