import { defineCheck } from '../../src/requirement/define.ts'

const foreignOrigin = 'https://foreign.example'

export default defineCheck({
  id: 'SIG-27',
  role: 'signaling',
  level: 'ADVISORY',
  clauses: [],
  title: 'keeps the token out of addresses and of the reach of foreign pages',
  why: 'Addresses end up in logs and histories; cookies go along with sockets that any page on the web opens.',
  how:
    'The profile is looked at: a token in the query warns, and so does plain ws to another machine. Where the token is ' +
    'a cookie, a fresh one is offered under a foreign Origin between two controls without one; being accepted warns.',
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling }, judge) {
    const { access, allowInsecureTransport } = signaling.configuration
    const carriage = access !== undefined && 'profile' in access ? access.profile.carriage.in : 'unknown'
    judge.observe('signaling.carriage', carriage)
    judge.advisory(carriage !== 'query', {
      saw: 'that the calling token travels in the address',
      expected: 'a place that is not logged: a header, a subprotocol, a cookie or a message',
    })
    const isPlain = new URL(signaling.url).protocol === 'ws:'
    judge.advisory(!(isPlain && allowInsecureTransport), {
      saw: 'an address that begins with ws:// (allowInsecureTransport is set)',
      expected: 'wss, so that nobody on the way can read the token',
    })
    if (carriage !== 'cookie') return
    await judge.sandwich(signaling.control, async () => {
      const { jwt, userId } = await callingTokens.fresh()
      const headers = [['Origin', foreignOrigin] as const]
      const made = await signaling.attempt({ token: jwt, declaredUser: userId, headers })
      judge.advisory(made.outcome !== 'accepted', {
        saw: `a cookie accepted that came with the Origin ${foreignOrigin}`,
        expected: 'a refusal of origins that are not the own ones',
        evidence: [made.exchange],
      })
    })
  },
  catches: {
    'takes cookies from every page': {
      signaling: { carriage: { in: 'cookie', name: 'calling_token' }, admitsOrigin: () => true },
      as: 'warn',
    },
    'takes cookies from every page that uses https': {
      signaling: {
        carriage: { in: 'cookie', name: 'calling_token' },
        admitsOrigin: (origin) => origin.startsWith('https://'),
      },
      as: 'warn',
    },
    'has the token in the address': {
      signaling: { carriage: { in: 'query', name: 'access_token' } },
      as: 'warn',
    },
  },
})
