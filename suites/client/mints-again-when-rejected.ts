import { defineCheck } from '../../src/requirement/define.ts'
import { findStaleAttempts, judgeRenewal, openWithDrivenClock, refuseAtConnect } from './judge-renewal.ts'

export default defineCheck({
  id: 'CLI-06',
  role: 'client',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['3', '5.6', '7.3'],
  title: 'mints a new token when signaling rejects the old one',
  why: 'A rejected token stays rejected: a client that resends it never connects, and may run into a rate limit.',
  how: 'Rejects the first handshake as 401. Expects another call of the token route and a handshake with the new JWT; a client that stops, or that resends the rejected JWT, fails. A page cannot read the HTTP status of a rejected upgrade: there, a new token is expected only once its reconnect attempts are exhausted.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    const { client, signalingDouble } = parts
    await using app = await openWithDrivenClock(client)
    const since = await refuseAtConnect(app)
    await judgeRenewal(app, since, 'rejected at connect', parts, judge)
    const stale = findStaleAttempts(app, since)
    const isSeen = client.kind === 'program' || signalingDouble.atConnect !== 'http'
    judge.must(!isSeen || stale.length === 0, {
      saw: `${stale.length} more handshake${stale.length === 1 ? '' : 's'} with the rejected calling JWT`,
      expected: 'a new calling JWT in the next handshake (5.6)',
      fix: 'Call getAuthToken before every reconnect.',
      evidence: stale.map(({ exchange }) => exchange),
    })
  },
  catches: {
    'token captured once': { client: { variant: 'token captured once' } },
    'mints, and connects with the first token': {
      client: { variant: 'mints, and connects with the first token' },
    },
    'connects with the refused token for ever': {
      client: { variant: 'connects with the refused token again' },
    },
    'gives up': { client: { variant: 'gives up when it is refused' } },
    'mints, and does not connect': { client: { variant: 'mints, and does not connect' } },
    'a program that captures its token': {
      client: { form: 'program', variant: 'token captured once' },
      configuration: { limits: { reconnectSeconds: 6 } },
    },
    'takes a refusal for a drop': { client: { variant: 'a refusal taken for a drop' } },
  },
})
