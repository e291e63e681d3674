import { Untested } from '../base/inconclusive.ts'
import { detectedQuietMs, generousTimeoutMs, watchedAttemptMs, watchedSilenceMs } from '../base/times.ts'
import { damageSignature } from '../base/tokens/damage-token.ts'
import type { SignalingConnector } from '../roles/signaling/attempt.ts'
import { addBesideToken } from '../roles/signaling/beside-token.ts'
import type { SignalingProfile } from '../roles/signaling/profile.ts'
import type { Cue } from '../roles/signaling/signs.ts'
import * as signs from './signs.ts'
import { entrances, listCarriages, opening, type UserPlace, userPlaces } from './table.ts'

/** A token, what takes its place, or none, and the user that it is stated for. */
export interface UserToken {
  readonly jwt: string | null
  readonly userId: string
}

export interface FoundSignaling {
  readonly profile: SignalingProfile
  /** A token with a damaged signature was accepted: no matter of the profile, but the reader must know. */
  readonly letsDamagedIn: boolean
}

export interface Search {
  fresh(): Promise<UserToken>
  /** Random text as long as a token and with as many dots, for a fresh user. */
  garbage(): UserToken
  /** Called for each attempt. Throws `Untested` where there were too many. */
  connectorFor(profile: SignalingProfile): SignalingConnector
  onProgress(what: string): void
}

type Way = Pick<SignalingProfile, 'path' | 'subprotocols' | 'carriage' | 'opening' | 'declaredUser'>

/** A way with which good tokens are told apart from others, and what showed it. */
interface Hit {
  readonly way: Way
  readonly success: signs.Success
  readonly valid: readonly signs.Trace[]
  readonly refused: readonly (readonly signs.Trace[])[]
}

const atOnce = 4

/** Tries the carriages until good tokens can be told apart from others, and confirms the profile; else throws `Untested`. */
export async function findProfile(search: Search): Promise<FoundSignaling> {
  const { way, bare } = await enter(search)
  const hit = await searchCarriages(search, way, signs.findGreeting(bare) ?? 'open')
  if (hit === null)
    throw new Untested(
      `signaling ${bare.summary} without a token, and no tried carriage distinguishes valid and invalid tokens: check the path of signaling.url, or write signaling.profile or an adapter`,
    )
  const failure = signs.findFailures(hit.refused, hit.valid)
  const profile = {
    ...(await findDeclaredUser(search, hit)),
    success: [hit.success === 'quiet' ? { quietOpenMs: detectedQuietMs } : hit.success],
    failure,
    unauthorized: signs.selectUnauthorized(failure),
    samples: {},
    timeoutMs: 8_000,
    settleMs: 300,
  }
  return { profile, ...(await confirm(search, profile)) }
}

/** Watches an attempt by a profile without signs; the places state the userId besides. */
async function probe(
  { connectorFor }: Search,
  way: Way,
  { jwt, userId }: UserToken,
  places: readonly UserPlace[] = userPlaces,
  ms = watchedAttemptMs,
): Promise<signs.Trace> {
  // The silence counts from the upgrade on, which a busy machine may answer late.
  const timeoutMs = ms + generousTimeoutMs
  const blind = { failure: [], unauthorized: [], samples: {}, settleMs: 0, timeoutMs }
  const statedIn = (place: UserPlace['in']) =>
    places.filter((one) => one.in === place).map(({ name }) => [name, userId] as const)
  const made = await connectorFor({ ...way, ...blind, success: [{ quietOpenMs: ms }] }).attempt({
    token: jwt,
    declaredUser: userId,
    query: statedIn('query'),
    headers: statedIn('header'),
    beside: Object.fromEntries(statedIn('beside')),
  })
  const trace = { summary: made.summary, events: [...made.events], isOpen: made.outcome === 'accepted' }
  if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
  return trace
}

/** Connects without a credential: the first entrance that the service does not close, or the plain one. */
async function enter(search: Search): Promise<{ way: Way; bare: signs.Trace }> {
  const lookAt = async (entrance: (typeof entrances)[number]) => {
    const carriage = { in: 'header', name: 'Authorization', template: '{jwt}' } as const
    const way: Way = { ...entrance, carriage, declaredUser: { in: 'none' } }
    const bare = await probe(search, way, { ...search.garbage(), jwt: null })
    return { way, bare, isLetIn: bare.isOpen || bare.events.at(-1)?.code === 401 }
  }
  const plain = await lookAt({})
  let seen = plain
  for (const entrance of entrances) {
    if (seen.isLetIn) return seen
    seen = await lookAt(entrance)
  }
  return seen.isLetIn ? seen : plain
}

async function searchCarriages(search: Search, entrance: Way, after: Cue): Promise<Hit | null> {
  const ways = listCarriages(after).map((carriage): Way => {
    const hasUser = 'template' in carriage && carriage.template.includes('{userId}')
    return { ...entrance, carriage, declaredUser: { in: hasUser ? 'carriage' : 'none' } }
  })
  for (let from = 0; from < ways.length; from += atOnce) {
    const some = ways.slice(from, from + atOnce)
    search.onProgress(`tokens in ${some[0]?.carriage.in}`)
    // A lockout of a token after a few failures must not meet the trial that counts.
    const shared = await search.fresh()
    const looks = await Promise.all(
      some.map(async (way) => {
        const valid = await probe(search, way, shared)
        return valid.isOpen && signs.findSuccess([valid], [await probe(search, way, search.garbage())])
      }),
    )
    for (const way of some.filter((_, place) => looks[place])) {
      const hit = await examine(search, way)
      if (hit !== null) return hit
    }
  }
  return null
}

/** Sends good and bad tokens in turn: a rate limit, a lockout or chance would not follow that pattern. */
async function examine(search: Search, way: Way): Promise<Hit | null> {
  const { fresh, garbage } = search
  const valid: signs.Trace[] = []
  const groups: [signs.Trace[], signs.Trace[], signs.Trace[]] = [[], [], []]
  for (let round = 0; round < 2; round += 1) {
    valid.push(await probe(search, way, await fresh()))
    groups[0].push(await probe(search, way, garbage()))
    valid.push(await probe(search, way, await fresh()))
    groups[1].push(await probe(search, way, { ...garbage(), jwt: null }))
    groups[2].push(await probe(search, way, damage(await fresh())))
  }
  const success = signs.findSuccess(valid, [...groups[0], ...groups[1]])
  if (success === null) return null
  const refused = groups.map((group) => group.filter((trace) => !signs.isAccepted(success, trace)))
  const hit = { way, success, valid, refused }
  if (success !== 'quiet') return hit
  const answered = way.opening ? null : await examine(search, { ...way, opening: [opening] })
  if (answered !== null && answered.success !== 'quiet') return answered
  return (await probe(search, way, await fresh(), userPlaces, watchedSilenceMs)).isOpen ? hit : null
}

/** Finds where the service looks for a userId besides the token, by good tokens with the id of another user. */
async function findDeclaredUser(search: Search, { way, success }: Hit): Promise<Way> {
  if (way.declaredUser.in === 'carriage') return way
  const other = search.garbage().userId
  const join = async (places: readonly UserPlace[], as?: string) => {
    const token = await search.fresh()
    const trace = await probe(search, way, { ...token, userId: as ?? token.userId }, places)
    const isNamed = trace.events.some(({ type, text }) => type === 'frame' && text.includes(other))
    return { isIn: signs.isAccepted(success, trace), isNamed }
  }
  const isNeeded = !(await join([])).isIn
  for (const place of userPlaces) {
    const stating = stateAt(way, place)
    if (stating === null) continue
    const { isIn, isNamed } = await join([place], isNeeded ? undefined : other)
    // A service may refuse a member that it does not know, whatever it says.
    const isCompared = !isNeeded && !isIn && (await join([place])).isIn
    if (isCompared || (isIn && (isNeeded || isNamed))) return stating
  }
  if (isNeeded) throw new Untested('signaling requires the userId in a form not tried')
  return { ...way, declaredUser: { in: 'none', detected: true } }
}

/** Null where the carriage has no such place. */
function stateAt(way: Way, { in: place, name }: UserPlace): Way | null {
  const { carriage } = way
  if (place !== 'beside') return { ...way, declaredUser: { in: place, name } }
  if (carriage.in !== 'message') return null
  const template = addBesideToken(carriage.template, '{jwt}', { [name]: '{userId}' })
  if (template === null) return null
  return { ...way, carriage: { ...carriage, template }, declaredUser: { in: 'carriage' } }
}

/** Tries the profile with the connector that decides by it, in turn. One wrong decision discards it. */
async function confirm({ fresh, garbage, connectorFor }: Search, profile: SignalingProfile) {
  const isIn = async ({ jwt, userId }: UserToken) => {
    const made = await connectorFor(profile).attempt({ token: jwt, declaredUser: userId })
    if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
    return made.outcome === 'accepted'
  }
  for (const jwt of [garbage().jwt, 'garbage', null])
    if (!(await isIn(await fresh())) || (await isIn({ ...garbage(), jwt })))
      throw new Untested('the detected profile does not distinguish valid and invalid tokens')
  return { letsDamagedIn: await isIn(damage(await fresh())) }
}

function damage({ jwt, userId }: UserToken): UserToken {
  return { jwt: jwt && damageSignature(jwt), userId }
}
