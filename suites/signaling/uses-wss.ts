import { isIP } from 'node:net'
import { Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'SIG-01',
  role: 'signaling',
  level: 'MUST',
  clauses: ['4.3'],
  title: 'is reached at a wss address',
  why: 'The calling token is a bearer credential: whoever reads it on the way can join as the user.',
  how:
    'The configured address is looked at. It must begin with wss; ws is taken for a loopback address, or where ' +
    'allowInsecureTransport gives the protection up on purpose.',
  needs: [],
  run({ configuration: { signaling } }, judge) {
    if (signaling === undefined) throw new Untested('needs signaling.url')
    const { protocol, hostname } = new URL(signaling.url)
    const excused = isLoopback(hostname) || signaling.allowInsecureTransport
    judge.must(protocol === 'wss:' || excused, {
      saw: `an address that begins with ${protocol}//`,
      expected: 'wss: the connection must be encrypted off loopback',
    })
    judge.observe('signaling.scheme', protocol.slice(0, -1))
    return Promise.resolve()
  },
  catches: {
    'is reached without TLS': { configuration: { signaling: { url: 'ws://signal.example/ws' } } },
    'is reached without TLS at a numeric address': {
      configuration: { signaling: { url: 'ws://198.51.100.7:8080/ws' } },
    },
    'is reached without TLS at a name that only begins like loopback': {
      configuration: { signaling: { url: 'ws://localhost.signal.example/ws' } },
    },
  },
})

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true
  return isIP(hostname) === 4 && hostname.startsWith('127.')
}
