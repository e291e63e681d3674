import type { Configuration } from '../../src/configuration/configuration.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import {
  collectSessions,
  judgePlaces,
  locateParts,
  locateSecrets,
  misplaced,
  type Sighting,
  tabulateSecrets,
} from '../../src/roles/client/capture/locate-secrets.ts'
import type { ClientApp, Place, Refusals } from '../../src/roles/client/types.ts'
import { profileOf } from '../lib/profile-of.ts'
import { openWithDrivenClock } from './lib/judge-renewal.ts'
import { judgeUnread } from './lib/judge-unread.ts'

const rightful: Readonly<Record<Sighting['kind'], readonly Place[]>> = {
  sessionToken: ['token route: Authorization', 'own hosts: headers and body'],
  'calling JWT': ['signaling: credential'],
}
const expectations: Readonly<Record<Sighting['kind'], string>> = {
  sessionToken: "the sessionToken at the customer's own API only (5.1; client.ownHosts adds hosts)",
  'calling JWT': 'the calling JWT at signaling only, as the credential (5.1; client.serviceHosts adds hosts)',
}
const fixes: Readonly<Record<Sighting['kind'], string>> = {
  sessionToken:
    'Send the sessionToken to your own backend only; attach it per request, not to every request of the page.',
  'calling JWT':
    'Give the calling JWT to the SDK only; keep it out of URLs, cookies, storage and other requests.',
}

export default defineCheck({
  id: 'CLI-02',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.1'],
  basis: "The sessionToken goes to the customer's API only, and the calling JWT to signaling (5.1).",
  title: 'keeps the sessionToken and the calling JWT apart',
  why: 'Each token has one audience. A session at signaling, or a calling JWT at the own API or a third party, can be misused by every party that reads it.',
  how: {
    does: [
      'A user signs in and connects, stays connected for a while, is dropped, is rejected when it reconnects so that a second token is fetched, is rejected in mid-session, is rejected again while the token route answers 500, and signs out.',
      'Searches everything that the client sends for both tokens in plain text, percent-encoded, hexadecimal, base64 and compressed.',
      "The session may go only to the customer's own hosts: those of the page, the token route, the login, and client.ownHosts.",
      'The calling JWT may go only to signaling and to client.serviceHosts, and into no cookie.',
      'The table of secrets and places is recorded, with storage and console.',
      'A client that opens no socket at signaling, and all at one other address, is an error: client.signalingUrl may be wrong, and CLI-22 judges the address.',
    ],
    fails: ['A token elsewhere.'],
    warns: ['16 or more characters of a token elsewhere.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client, configuration }, judge) {
    await using app = await openWithDrivenClock(client)
    const user = await app.signIn()
    // Traffic of a client that is not accepted still counts.
    const notAccepted = await app.establish().then(
      () => null,
      (error: unknown) => error,
    )
    if (notAccepted === null) {
      await app.waitOnClientClock(() => false, app.isClockDriven() ? connectedSeconds : undrivenSeconds)
      const missed = await goThroughFailures(app, app.signaling.refusals)
      if (missed !== null)
        judge.observe(
          'client.notSeen',
          `in ${patienceSeconds} s it did not ${missed}: nothing is known of then`,
        )
    }
    const before = await app.capture()
    await app.signOut()
    await app.waitForQuiet()
    const captured = [...before, ...(await app.capture())]

    const inCookie = travelsInCookie(app, configuration)
    const jwts = app.issued().map(({ jwt }) => jwt)
    const sessions = collectSessions(app, [user.sessionToken])
    const sightings = locateSecrets(captured, sessions, jwts)
    judge.passed()
    // The browser decides where a cookie with the credential is sent.
    const isCarriedTo = (place: Place) =>
      inCookie && (place === 'cookie' || place === 'own hosts: headers and body')
    const taken = notAccepted === null ? null : findTakenForSignaling(app)
    const judgePlace = (
      part: Judge['must'],
      { kind, capture: { place, name, exchange } }: Pick<Sighting, 'kind' | 'capture'>,
      what: string,
      how = '',
    ) => {
      const where = `${placeText[place] ?? place} (${name})`
      return part(isCarriedTo(place) || !misplaced[kind].includes(place), {
        case: where,
        saw: `${what} in ${where}${how}`,
        expected: expectations[kind],
        fix: fixes[kind],
        evidence: exchange === '' ? [] : [exchange],
      })
    }
    let isApart = true
    for (const sighting of sightings) {
      const { kind, capture, encoding } = sighting
      if (kind === 'calling JWT' && capture.name === taken) continue
      const how = encoding === 'plain' ? '' : `, ${encoding}`
      if (!judgePlace(judge.must, sighting, `the ${kind}`, how)) isApart = false
      if (capture.place === 'related hosts')
        judge.untested(
          `the ${kind} was sent to ${capture.name}: add the host to client.ownHosts if it is the customer's own`,
        )
    }
    for (const part of locateParts(captured, sessions, jwts, [user.userId]))
      judgePlace(judge.should, part, `${part.characters} or more characters of the ${part.kind}`)
    judge.observe('client.secretsByPlace', tabulateSecrets(sightings))
    const waysOf = (kind: Sighting['kind']) => ({
      rightful: rightful[kind],
      misplaced: misplaced[kind].filter((place) => !isCarriedTo(place)),
    })
    judge.observe(
      'client.secretPlaces',
      judgePlaces(sightings, { sessionToken: waysOf('sessionToken'), 'calling JWT': waysOf('calling JWT') }),
    )
    judgeUnread(app.unreadHosts(), judge)
    // A client that mixes the two up is not accepted because of that.
    if (notAccepted !== null && isApart) throw notAccepted
    if (!client.seesEverything)
      judge.untested(
        `requests of a ${client.kind === 'program' ? 'program' : 'device'} to other hosts cannot be observed`,
      )
  },
})

/** On the client's clock: heartbeats, and batches of events that are sent every so often, belong to what it sends. */
const connectedSeconds = 60
const undrivenSeconds = 3

/** On the client's clock: longer than the pause between two attempts. */
const patienceSeconds = 30
const lateSeconds = 15

/** Drops and rejects a client, and fails its backend. Returns what it did not do, as a verb. */
async function goThroughFailures(app: ClientApp, { inSession }: Refusals): Promise<string | null> {
  const { backend, signaling } = app
  // A clock that is advanced can outrun a busy machine.
  const waits = async (isSo: () => boolean) =>
    (await app.waitOnClientClock(isSo, patienceSeconds)) ?? (await app.waitFor(isSo, lateSeconds)) ?? false
  const comeBack = async (end: () => void, refusals: number) => {
    const known = signaling.attempts().length + refusals
    signaling.answer(() => (signaling.attempts().length > known ? 'ordinary' : 'refuse'))
    end()
    return await waits(() => signaling.attempts().slice(known).at(-1)?.outcome === 'accepted')
  }
  if (!(await comeBack(() => signaling.dropOpen(), 1))) return 'reconnect after a drop and a rejected token'
  if (inSession === null) return null
  if (!(await comeBack(() => signaling.refuseOpen(), 0))) return 'reconnect after a rejection in mid-session'
  const calls = backend.calls().length
  backend.answer(() => ({ status: 500, body: '{"error":"failed"}' }))
  signaling.refuseOpen()
  if (!(await waits(() => backend.calls()[calls]?.status === 500)))
    return 'ask for a token after another rejection in mid-session'
  await app.waitForQuiet()
  backend.answer(null)
  return null
}

/** The only socket of a client that opened none at signaling: client.signalingUrl may be wrong. */
function findTakenForSignaling(app: ClientApp): string | null {
  if (app.signaling.attempts().length > 0) return null
  const isUpgrade = ([name, value]: readonly [name: string, value: string]) =>
    name === 'upgrade' && value.toLowerCase() === 'websocket'
  const sockets = app.requests().filter(({ headers }) => headers.some(isUpgrade))
  const [address, ...others] = new Set(sockets.map(({ url }) => url.replace(/[?#].*$/s, '')))
  return others.length === 0 ? (address ?? null) : null
}

const placeText: Partial<Record<Place, string>> = {
  'signaling: credential': 'the credential sent to signaling',
  'signaling: elsewhere': 'a message or URL sent to signaling',
  'own hosts: URL': 'the URL of a request to the own API',
  'own hosts: headers and body': 'a request to the own API',
  'other hosts': 'a request to a third party',
  'mint host': 'a request to the mint',
}

/** Says whether a cookie carries the credential; with an adapter, what was sent shows it. */
function travelsInCookie({ signaling }: ClientApp, { signaling: configured }: Configuration): boolean {
  if (configured?.access === undefined) return false
  const profile = profileOf(configured.access)
  if (profile !== null) return profile.carriage.in === 'cookie'
  return signaling.attempts().some(({ credential, headers }) => {
    const cookies = headers.filter(([name]) => name.toLowerCase() === 'cookie')
    return credential !== null && cookies.some(([, value]) => value.includes(credential))
  })
}
