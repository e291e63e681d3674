import { defineCheck } from '../../src/requirement/define.ts'
import {
  collectSessions,
  judgePlaces,
  locateSecrets,
  misplaced,
  type Sighting,
  tabulateSecrets,
} from '../../src/roles/client/locate-secrets.ts'
import type { Place } from '../../src/roles/client/types.ts'

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
  role: 'client',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.1'],
  title: 'keeps the sessionToken and the calling JWT apart',
  why: 'Each token has one audience. A session at signaling, or a calling JWT at the own API or a third party, can be misused by every party that reads it.',
  how: "A user signs in and connects, is rejected in mid-session so that a second token is fetched, and signs out. Searches everything that the client sends for both tokens in plain text, percent-encoded, hexadecimal and base64. The session may go only to the customer's own hosts: those of the page, the token route, the login, and client.ownHosts. The calling JWT may go only to signaling and to client.serviceHosts, and into no cookie. A token elsewhere fails. The table of secrets and places is recorded, with storage and console.",
  needs: ['client', 'signalingDouble'],
  async run({ client, configuration, signalingDouble }, judge) {
    await using app = await client.open()
    const user = await app.signIn()
    // A client that mixes the two up is not accepted; what it sent still counts.
    const notAccepted = await app.establish().then(
      () => null,
      (error: unknown) => error,
    )
    if (notAccepted === null) {
      if (signalingDouble.inSession === null) app.signaling.dropOpen()
      else app.signaling.refuseOpen()
      await app.waitFor(
        () => app.backend.calls().length > 1 && app.signaling.attempts().at(-1)?.outcome === 'accepted',
      )
    }
    const before = await app.capture()
    await app.signOut()
    await app.waitForQuiet()
    const captured = [...before, ...(await app.capture())]

    const profile = configuration.signaling?.access
    const inCookie = profile !== undefined && 'profile' in profile && profile.profile.carriage.in === 'cookie'
    const jwts = app.issued().map(({ jwt }) => jwt)
    const sightings = locateSecrets(captured, collectSessions(app, [user.sessionToken]), jwts)
    judge.passed()
    // The browser decides where a cookie with the credential is sent.
    const isCarriedTo = (place: Place) =>
      inCookie && (place === 'cookie' || place === 'own hosts: headers and body')
    for (const { kind, capture, encoding } of sightings) {
      const isCarriage = isCarriedTo(capture.place)
      const where = `${placeText[capture.place] ?? capture.place} (${capture.name})`
      judge.must(isCarriage || !misplaced[kind].includes(capture.place), {
        saw: `the ${kind} in ${where}${encoding === 'plain' ? '' : `, ${encoding}`}`,
        expected: expectations[kind],
        fix: fixes[kind],
        evidence: capture.exchange === '' ? [] : [capture.exchange],
      })
      if (capture.place === 'related hosts')
        judge.untested(
          `the ${kind} was sent to ${capture.name}: add the host to client.ownHosts if it is the customer's own`,
        )
    }
    judge.observe('client.secretsByPlace', tabulateSecrets(sightings))
    const waysOf = (kind: Sighting['kind']) => ({
      rightful: rightful[kind],
      misplaced: misplaced[kind].filter((place) => !isCarriedTo(place)),
    })
    judge.observe(
      'client.secretPlaces',
      judgePlaces(sightings, { sessionToken: waysOf('sessionToken'), 'calling JWT': waysOf('calling JWT') }),
    )
    if (notAccepted !== null) throw notAccepted
    if (!client.seesEverything)
      judge.untested(
        `requests of a ${client.kind === 'program' ? 'program' : 'device'} to other hosts cannot be observed`,
      )
  },
  catches: {
    'puts the session into the address of the socket': {
      client: { variant: 'session in the address of the socket' },
    },
    'offers the session to signaling': { client: { variant: 'session as the credential of signaling' } },
    'sends the session on the socket': { client: { variant: 'session in a message on the socket' } },
    'tells a third party the session': { client: { variant: 'session to a third host' } },
    'sends the calling JWT to its own API': { client: { variant: 'calling token to the own API' } },
    'asks its own API with the calling JWT': {
      client: { variant: 'calling token as bearer of the own API' },
    },
    'sends the calling JWT back to the token route': {
      client: { variant: 'calling token back to the token route' },
    },
    'keeps the calling JWT in a cookie': { client: { variant: 'calling token in a cookie' } },
    'tells a third party the calling JWT': { client: { variant: 'calling token to a third host' } },
    'puts the calling JWT into the address of a request': {
      client: { variant: 'calling token in the address of another request' },
    },
  },
})

const placeText: Partial<Record<Place, string>> = {
  'signaling: credential': 'the credential sent to signaling',
  'signaling: elsewhere': 'a message or URL sent to signaling',
  'own hosts: URL': 'the URL of a request to the own API',
  'own hosts: headers and body': 'a request to the own API',
  'other hosts': 'a request to a third party',
  'mint host': 'a request to the mint',
}
