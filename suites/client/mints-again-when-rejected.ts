import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge, Observed } from '../../src/requirement/judge.ts'
import type { ClientApp, ConnectionAttempt, SignalingReaction } from '../../src/roles/client/types.ts'
import {
  type ActionCounts,
  adviseFreshToken,
  countActions,
  everyReconnect,
  findStaleAttempts,
  judgeRenewal,
  openWithDrivenClock,
  type Parts,
  type Refusal,
  reactUntilAsked,
  refuseAtConnect,
} from './lib/judge-renewal.ts'
import { isOpen } from './lib/open-asked.ts'

export default defineCheck({
  id: 'CLI-06',
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
      'Several sockets that a client opens with one JWT at once are one handshake.',
      'A page cannot read the HTTP status of a rejected upgrade: there, a new token is expected only once its reconnect attempts are exhausted.',
      'Nor can a program that uses the WebSocket of the web standard: one that resends the JWT after a status is rejected anew by a close code or a frame, where signaling.profile names one.',
    ],
    fails: ['A client that stops after the first, or that resends a JWT which was rejected visibly.'],
    warns: [
      'A client that stops after the second, unless its state says that it has failed.',
      'A program that resends a JWT which was rejected by an HTTP status, and mints in the end.',
    ],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    const { client, signalingDouble } = parts
    const { isRenewed, resent } = await judgeRejections(parts, 'refuse', judge)
    if (resent === null) return
    if (signalingDouble.atConnect !== 'http') return void judge.must(false, resent)
    if (client.kind !== 'program') return
    // The WebSocket of the standard shows no HTTP status outside of pages either: a close code or a frame is seen by all.
    if (signalingDouble.inSession === null) return void judge[isRenewed ? 'advisory' : 'must'](false, resent)
    judge.advisory(false, resent)
    const open = await judgeRejections(parts, 'refuse once open', judge)
    if (open.resent === null) judge.passed()
    else judge.must(false, open.resent)
  },
})

interface Rejections {
  readonly isRenewed: boolean
  /** The breach of a client that has resent a rejected token; null for any other. */
  readonly resent: Observed | null
}

/** Rejects the first handshake, and where the client sees it also the first one with another token. */
async function judgeRejections(parts: Parts, refusal: Refusal, judge: Judge): Promise<Rejections> {
  const { client, signalingDouble } = parts
  await using app = await openWithDrivenClock(client)
  const isSeen = client.kind === 'program' || signalingDouble.atConnect !== 'http'
  const again: ActionCounts[] = []
  const refuseAgain = (): SignalingReaction => {
    const since = countActions(app)
    again.push(since)
    reactUntilAsked(app, since, () => refusal)
    return refusal
  }
  const since = await refuseAtConnect(app, isSeen ? refuseAgain : undefined, refusal)
  const isRenewed = await judgeRenewal(app, since, whenText[refusal], parts, judge)
  const [second] = again
  if (isRenewed && second !== undefined) await judgeSecond(app, second, whenText[refusal], parts, judge)
  const stale = [...new Set([since, ...again].flatMap((moment) => findStaleAttempts(app, moment)))]
  const resent = stale.length === 0 ? [] : await findResent(app, stale)
  if (resent.length === 0) return { isRenewed, resent: null }
  return {
    isRenewed,
    resent: {
      saw: `${resent.length} more handshake${resent.length === 1 ? '' : 's'} with a rejected calling JWT`,
      expected: 'a new calling JWT in the next handshake (5.6)',
      fix: await adviseFreshToken(app, everyReconnect),
      evidence: resent.map(({ exchange }) => exchange),
    },
  }
}

/** A client of several sockets opens them with one token at once, before any is rejected: as many as are open in the end are excused. */
async function findResent(
  app: ClientApp,
  stale: readonly ConnectionAttempt[],
): Promise<readonly ConnectionAttempt[]> {
  await app.waitForQuiet()
  const open = Map.groupBy(app.signaling.attempts().filter(isOpen), ({ credential }) => credential)
  const others = Math.max(0, ...[...open.values()].map(({ length }) => length - 1))
  const byToken = Map.groupBy(stale, ({ credential }) => credential)
  return stale.filter((one) => (byToken.get(one.credential) ?? []).indexOf(one) >= others)
}

const whenText: Readonly<Record<Refusal, string>> = {
  refuse: 'rejected at connect',
  'refuse once open': 'rejected as soon as its socket was open',
}

/** A client may give up when signaling rejects fresh tokens, too, as long as it says so. */
async function judgeSecond(
  app: ClientApp,
  since: ActionCounts,
  when: string,
  parts: Parts,
  judge: Judge,
): Promise<void> {
  const breaches: Observed[] = []
  await judgeRenewal(app, since, `${when} with a second calling JWT`, parts, {
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
