import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { profileOf } from '../lib/profile-of.ts'
import { offering, sawSuccess } from './lib/reject-credentials.ts'

const foreignOrigin = 'https://foreign.example'

export default defineCheck({
  id: 'SIG-27',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'keeps the token out of URLs and cross-origin cookies',
  why: 'URLs end up in logs and histories; browsers attach cookies to sockets that any page opens.',
  how: {
    does: [
      'Reads the profile.',
      'Where the token is a cookie, sends a fresh one with a foreign Origin between two controls without one.',
    ],
    warns: ['A token in the query.', 'ws off loopback.', 'A cookie that is accepted with a foreign Origin.'],
  },
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling }, judge) {
    const { access, allowInsecureTransport } = signaling.configuration
    const carriage = profileOf(access)?.carriage.in ?? 'unknown'
    judge.observe('signaling.carriage', carriage)
    judge.advisory(carriage !== 'query', {
      saw: 'the calling token in the query of the URL',
      expected: 'the token in a header, a subprotocol or a message, which are not logged',
      fix: 'Send the token outside the URL.',
    })
    const isPlain = new URL(signaling.url).protocol === 'ws:'
    judge.advisory(!(isPlain && allowInsecureTransport), {
      saw: 'a signaling URL with ws:// (allowInsecureTransport is set)',
      expected: 'wss, which protects the token in transit (4.3)',
      fix: 'Serve signaling over wss.',
    })
    if (carriage !== 'cookie') return
    const { jwt, userId } = await callingTokens.fresh()
    const headers = [['Origin', foreignOrigin]] as const
    const name = 'a genuine token from a foreign Origin'
    await attack(judge, {
      ...offering(signaling, [{ name, token: jwt, userId, headers, isGenuine: true }]),
      breaches: {
        level: 'advisory',
        saw: sawSuccess,
        expected: 'sockets of foreign origins rejected',
        fix: 'Check the Origin header against the known origins.',
      },
    })
  },
})
