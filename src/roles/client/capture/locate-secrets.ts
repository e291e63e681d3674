import { type Encoding, findSecret } from '../../../base/find-secret/find-secret.ts'
import { readToken } from '../../../base/tokens/decode.ts'
import type { CapturedText, ClientApp, Place } from '../types.ts'

/** A secret and the place where it was found. */
export interface Sighting {
  readonly kind: 'sessionToken' | 'calling JWT'
  readonly capture: CapturedText
  readonly encoding: Encoding
}

const foreign: readonly Place[] = ['mint host', 'other hosts']
/** Where each token never belongs; a cookie that is the carriage of signaling is the exception. */
export const misplaced: Readonly<Record<Sighting['kind'], readonly Place[]>> = {
  sessionToken: ['signaling: credential', 'signaling: elsewhere', ...foreign],
  'calling JWT': [
    'token route: Authorization',
    'token route: elsewhere in the request',
    'own hosts: URL',
    'own hosts: headers and body',
    'cookie',
    ...foreign,
  ],
}

/** Every place with a session or a calling JWT. */
export function locateSecrets(
  captured: readonly CapturedText[],
  sessions: readonly string[],
  jwts: readonly string[],
): Sighting[] {
  const secrets = namedSecrets(sessions, jwts)
  return searchedOf(captured).flatMap((capture) =>
    secrets.flatMap(({ kind, secret }) => {
      const encoding = findSecret(capture.text, secret)
      return encoding === null ? [] : [{ kind, capture, encoding }]
    }),
  )
}

function namedSecrets(sessions: readonly string[], jwts: readonly string[]) {
  return [
    ...sessions.map((secret) => ({ kind: 'sessionToken' as const, secret })),
    ...jwts.map((secret) => ({ kind: 'calling JWT' as const, secret })),
  ]
}

/** Pages and scripts contain the login's response. */
function searchedOf(captured: readonly CapturedText[]): CapturedText[] {
  return captured.filter(({ place }) => place !== 'page or script' && place !== 'source map')
}

const shortestPart = 16
/** Any part that is longer than the shortest by this much covers one of the windows. */
const windowStride = 4

/** Places with a part of a session or of a JWT's signature, and without the whole. A text in `known` is no part. */
export function locateParts(
  captured: readonly CapturedText[],
  sessions: readonly string[],
  jwts: readonly string[],
  known: readonly string[],
) {
  const secrets = namedSecrets(sessions, jwts).map((one) => ({
    ...one,
    windows: windowsOf(secretPartOf(one.secret), known),
  }))
  return searchedOf(captured).flatMap((capture) =>
    secrets.flatMap(({ kind, secret, windows }) => {
      const found = windows.filter((window) => capture.text.includes(window)).length
      if (found === 0 || capture.text.includes(secret)) return []
      // At least so many.
      return [{ kind, capture, characters: shortestPart + (found - 1) * windowStride }]
    }),
  )
}

function secretPartOf(secret: string): string {
  return readToken(secret)?.format === 'JWS' ? secret.slice(secret.lastIndexOf('.') + 1) : secret
}

function windowsOf(secret: string, known: readonly string[]): string[] {
  const count = Math.floor((secret.length - shortestPart) / windowStride) + 1
  return Array.from({ length: Math.max(0, count) }, (_, place) =>
    secret.slice(place * windowStride, place * windowStride + shortestPart),
  ).filter((window) => !known.some((text) => text.includes(window)))
}

/** The table of secrets and places in the results, with the encodings in which each was found. */
export function tabulateSecrets(
  sightings: readonly Sighting[],
): Record<Sighting['kind'], Partial<Record<Place, string>>> {
  const table: Record<Sighting['kind'], Partial<Record<Place, string>>> = {
    sessionToken: {},
    'calling JWT': {},
  }
  for (const { kind, capture, encoding } of sightings) {
    const before = table[kind][capture.place]
    if (before === undefined) table[kind][capture.place] = encoding
    else if (!before.includes(encoding)) table[kind][capture.place] = `${before}, ${encoding}`
  }
  return table
}

/** Where a secret belongs and where it is misplaced; a place in neither list is not judged. */
interface SecretPlaces {
  readonly rightful: readonly Place[]
  readonly misplaced: readonly Place[]
}

/** The judged places with their secrets: the rows of the report's table. */
export function judgePlaces(
  sightings: readonly Sighting[],
  ways: Readonly<Record<Sighting['kind'], SecretPlaces>>,
): Record<string, Partial<Record<Sighting['kind'], 'belongs' | 'out of place' | 'not seen'>>> {
  const table: ReturnType<typeof judgePlaces> = {}
  for (const kind of ['sessionToken', 'calling JWT'] as const)
    for (const [place, found] of [
      ...ways[kind].rightful.map((place) => [place, 'belongs'] as const),
      ...ways[kind].misplaced.map((place) => [place, 'out of place'] as const),
    ]) {
      const isSeen = sightings.some((sighting) => sighting.kind === kind && sighting.capture.place === place)
      const row = `the client, ${place}`
      table[row] = { ...table[row], [kind]: isSeen ? found : 'not seen' }
    }
  return table
}

/** The sessions of the signed-in users, from the driver and from the calls of the token route. */
export function collectSessions(app: ClientApp, signedIn: readonly (string | null)[]): string[] {
  const jwts = new Set(app.issued().map(({ jwt }) => jwt))
  const shown = app.backend.calls().map(({ bearer }) => bearer)
  const known = [...signedIn, ...shown].filter((session) => session !== null && !jwts.has(session))
  return [...new Set(known as string[])]
}
