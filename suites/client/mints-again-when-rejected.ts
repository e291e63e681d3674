import { defineCheck } from '../../src/requirement/define.ts'
import { judgeRenewal, openWithDrivenClock, refuseAtConnect, staleDials } from './judge-renewal.ts'

export default defineCheck({
  id: 'CLI-06',
  role: 'client',
  level: 'MUST',
  clauses: ['3', '5.6', '7.3'],
  title: 'mints again when signaling refuses its token',
  why: 'A refused token stays refused: whoever offers it again never gets in, and asks for a rate limit.',
  how:
    'The first handshake is refused as 401. The client must then call its token route again and dial with the new ' +
    'JWT, and not once more with the refused one. A page cannot see the HTTP status of a refused upgrade: there it is ' +
    'only asked to mint again when its attempts are exhausted.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    const { client, signalingDouble } = parts
    await using app = await openWithDrivenClock(client)
    const since = await refuseAtConnect(app)
    await judgeRenewal(app, since, 'refused at connect', parts, judge)
    const stale = staleDials(app, since)
    const isSeen = client.kind === 'program' || signalingDouble.atConnect !== 'http'
    judge.must(!isSeen || stale.length === 0, {
      saw: `${stale.length} more dial${stale.length === 1 ? '' : 's'} with the refused calling JWT`,
      expected: 'the next handshake to carry a new one',
      evidence: stale.map(({ exchange }) => exchange),
    })
  },
  catches: {
    'token captured once': { client: { variant: 'token captured once' } },
    'mints, and dials with the first token': { client: { variant: 'mints, and dials with the first token' } },
    'dials with the refused token for ever': { client: { variant: 'dials with the refused token again' } },
    'gives up': { client: { variant: 'gives up when it is refused' } },
    'mints, and does not connect': { client: { variant: 'mints, and does not connect' } },
    'a program that captures its token': {
      client: { form: 'program', variant: 'token captured once' },
      configuration: { limits: { reconnectSeconds: 6 } },
    },
    'takes a refusal for a drop': { client: { variant: 'a refusal taken for a drop' } },
  },
})
