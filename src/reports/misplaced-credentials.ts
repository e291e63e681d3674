import type { Exchange, Party } from '../base/evidence/exchange.ts'
import { readSecretLabels, type SecretLabel, type ShownKind } from '../base/evidence/secret-label.ts'

/** The four roles of the flow, implementation or double, and every other peer of an app. */
export type Lane = 'app' | 'backend' | 'mint' | 'signaling' | 'elsewhere'

/** A credential that went where it does not belong (clauses 5.1 and 5.2). */
export interface MisplacedCredential {
  readonly kind: ShownKind
  readonly from: Lane
  readonly to: Lane
  /** Such as "the header x-trace" or "a frame". */
  readonly place: string
}

interface Place {
  readonly place: string
  readonly text: string
}

/** Nothing that the suite itself sends, attacks included, is a leak of the implementation. */
const suiteParties: readonly Party[] = [
  'suite',
  'mint-double',
  'backend-double',
  'signaling-double',
  'listener',
  'jwks',
]

/** The lanes of sender and receiver in the drawing; null for an exchange outside of the flow. */
export function lanesOf({ from, to }: Pick<Exchange, 'from' | 'to'>): { from: Lane; to: Lane } | null {
  const receiver = lanesByParty[to]
  if (receiver === undefined) return null
  if (from === 'suite') return { from: receiver === 'mint' ? 'backend' : 'app', to: receiver }
  const sender = lanesByParty[from]
  return sender === undefined || from === 'mint-double' ? null : { from: sender, to: receiver }
}

const lanesByParty: Readonly<Partial<Record<Party, Lane>>> = {
  client: 'app',
  backend: 'backend',
  mint: 'mint',
  'mint-double': 'mint',
  signaling: 'signaling',
  'backend-double': 'backend',
  'signaling-double': 'signaling',
  web: 'elsewhere',
}

/** The credentials that a part under test sent where they do not belong, as far as one exchange shows it. */
export function findMisplacedCredentials(exchange: Exchange): MisplacedCredential[] {
  const lanes = lanesOf(exchange)
  if (lanes === null) return []
  const [sent, answered] = placesOf(exchange).map((places) =>
    places.flatMap(({ place, text }) => findCredentials(text).map((found) => ({ ...found, place }))),
  )
  const misplaced = (found: typeof sent = [], from: Lane, to: Lane) =>
    found
      .filter(({ kind, place }) => !belongs(kind, from, to, place))
      .map(({ kind, place }) => ({ kind, from, to, place }))
  const there = suiteParties.includes(exchange.from) ? [] : misplaced(sent, lanes.from, lanes.to)
  if (suiteParties.includes(exchange.to) || lanes.to === 'elsewhere') return there
  // An echo of what the sender sent itself is no leak of the receiver.
  const said = new Set(sent?.map(({ fingerprint }) => fingerprint))
  const own = answered?.filter(({ fingerprint }) => !said.has(fingerprint))
  return [...there, ...misplaced(own, lanes.to, lanes.from)]
}

/** The specification says only of these three where they belong; everything else may go anywhere. */
function belongs(kind: ShownKind, from: Lane, to: Lane, place: string): boolean {
  const leg = `${from} ${to}`
  const asBearer = place === 'the header authorization'
  switch (kind) {
    case 'session':
      return leg === 'app backend' && asBearer
    case 'api-key':
      return leg === 'backend mint' && asBearer
    case 'calling-jwt':
      return ['mint backend', 'backend app', 'app signaling', 'signaling app'].includes(leg)
    default:
      return true
  }
}

export function placesOf(exchange: Exchange): [sent: Place[], answered: Place[]] {
  const headersOf = (headers: readonly (readonly [string, string])[]) =>
    headers.map(([name, text]) => ({ place: `the header ${name.toLowerCase()}`, text }))
  const { request } = exchange
  const opening = [{ place: 'the address', text: request.url }, ...headersOf(request.headers)]
  if (exchange.kind === 'websocket') {
    const frames = exchange.events.map(({ type, text }) => ({ type, place: 'a frame', text }))
    return [
      [...opening, ...frames.filter(({ type }) => type === 'sent')],
      frames.filter(({ type }) => type !== 'sent'),
    ]
  }
  const sent = [...opening, { place: 'the body', text: exchange.request.body }]
  const { response } = exchange
  if (response === undefined) return [sent, []]
  const { statusText, headers, body } = response
  const status = { place: 'the status text', text: statusText }
  return [sent, [status, ...headersOf(headers), { place: 'the body', text: body }]]
}

/** The name of a kind, and the letter that distinguishes it without colours. */
export const credentialNames: Readonly<Record<ShownKind, { name: string; letter: string }>> = {
  session: { name: 'sessionToken', letter: 'A' },
  'calling-jwt': { name: 'calling JWT', letter: 'B' },
  'api-key': { name: 'API key', letter: 'K' },
  'forged-jwt': { name: 'forged JWT', letter: 'F' },
  jwt: { name: 'other JWT', letter: 'J' },
  secret: { name: 'secret', letter: 'S' },
}

export function findCredentials(text: string): SecretLabel[] {
  const found = readSecretLabels(text).map((one) => [`${one.kind} ${one.fingerprint}`, one] as const)
  return [...new Map(found).values()]
}
