import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge, Observed } from '../../src/requirement/judge.ts'
import type { ClientApp, SignalingReaction } from '../../src/roles/client/types.ts'
import {
  type ActionCounts,
  countActions,
  findStaleAttempts,
  judgeRenewal,
  openWithDrivenClock,
  type Parts,
  reactUntilAsked,
  refuseAtConnect,
} from './lib/judge-renewal.ts'

export default defineCheck({
  id: 'CLI-06',
  role: 'client',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['3', '5.6', '7.3'],
  basis: 'On a 401 of signaling the client mints a new token and reconnects (5.6, 7.3).',
  title: 'mints a new token when signaling rejects the old one',
  why: 'A rejected token stays rejected: a client that resends it never connects, and may run into a rate limit.',
  how: {
    does: [
      'Rejects the first handshake as 401, and the first one with another JWT as well.',
      'Expects another call of the token route and a handshake with the new JWT each time.',
      'A page cannot read the HTTP status of a rejected upgrade: there, a new token is expected only once its reconnect attempts are exhausted.',
    ],
    fails: ['A client that stops after the first, or that resends a rejected JWT.'],
    warns: ['A client that stops after the second, unless its state says that it has failed.'],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    const { client, signalingDouble } = parts
    await using app = await openWithDrivenClock(client)
    const isSeen = client.kind === 'program' || signalingDouble.atConnect !== 'http'
    const again: ActionCounts[] = []
    const refuseAgain = (): SignalingReaction => {
      const since = countActions(app)
      again.push(since)
      reactUntilAsked(app, since, () => 'refuse')
      return 'refuse'
    }
    const since = await refuseAtConnect(app, isSeen ? refuseAgain : undefined)
    const isRenewed = await judgeRenewal(app, since, 'rejected at connect', parts, judge)
    const [second] = again
    if (isRenewed && second !== undefined) await judgeSecond(app, second, parts, judge)
    const stale = [...new Set([since, ...again].flatMap((moment) => findStaleAttempts(app, moment)))]
    judge.must(!isSeen || stale.length === 0, {
      saw: `${stale.length} more handshake${stale.length === 1 ? '' : 's'} with a rejected calling JWT`,
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
    'stops at the second refusal': { client: { variant: 'stops at the second refusal' }, as: 'warn' },
    'connects with its first token after the second refusal': {
      client: { variant: 'connects with its first token after the second refusal' },
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

/** A client may give up when signaling rejects fresh tokens, too, as long as it says so. */
async function judgeSecond(app: ClientApp, since: ActionCounts, parts: Parts, judge: Judge): Promise<void> {
  const breaches: Observed[] = []
  await judgeRenewal(app, since, 'rejected at connect with a second calling JWT', parts, {
    // The first rejection has been judged.
    untested: (reason) => judge.observe('secondRejection', reason),
    must(holds, observed) {
      if (!holds) breaches.push(observed)
      return holds
    },
  })
  const state = breaches.length === 0 ? null : await app.state()
  for (const breach of breaches) judge.should(state === 'failed' || state === 'disconnected', breach)
}
