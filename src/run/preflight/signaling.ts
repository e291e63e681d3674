import { isDeepStrictEqual } from 'node:util'
import { TwotokenError } from '../../base/errors.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import type { Answer } from '../../base/http/client.ts'
import { failureOf } from '../../base/http/failure.ts'
import { headerOf } from '../../base/http/headers.ts'
import { createPacers } from '../../base/http/limiter.ts'
import type { Network } from '../../base/http/network.ts'
import {
  generousTimeoutMs,
  lateRejectionMs,
  longestSearchMs,
  togetherMs,
  usualQuietMs,
} from '../../base/times.ts'
import { damageSignature } from '../../base/tokens/damage-token.ts'
import { tellingWait } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { detect } from '../../detect/detect.ts'
import type { Attempt, Refused } from '../../roles/signaling/attempt.ts'
import type { SignalingConfiguration } from '../../roles/signaling/configuration.ts'
import { isRejected, type Signaling } from '../../roles/signaling/driver.ts'
import { isEnd } from '../../roles/signaling/event-log.ts'
import { openSignalingDriver } from '../../roles/signaling/open-driver.ts'
import type { SignalingProfile } from '../../roles/signaling/profile.ts'
import { findClockProblems, type JoinToken, type Probing, tryConnection, wantsTls } from './probe.ts'
import { isNoTls, noAnswerProblem, type Problem } from './problem.ts'

/** Tries to connect, with TLS for a `wss` address, and then to join as a client would. */
export async function findSignalingProblems(
  signaling: SignalingConfiguration,
  probing: Probing,
  { token, mayMint }: { readonly token: JoinToken | null; readonly mayMint: boolean },
): Promise<Problem[]> {
  const { limits, tls } = probing.configuration
  const deadlineMs = limits.requestSeconds * 1000
  const failure = await tellingWait(
    () => tryConnection(new URL(signaling.url), deadlineMs, probing.network),
    { what: 'waiting for signaling to accept a connection', longestMs: deadlineMs, tell: probing.tellWait },
  )
  if (failure === null)
    return token === null ? [] : await findJoinProblems(signaling, probing, token, mayMint)
  const { kind, message } = failureOf(failure, deadlineMs, limits.bodyBytes)
  return [noAnswerProblem('signaling', signaling.url, { failure: kind, message }, tls.ca)]
}

/** A user waits for the search, and a peer that floods fills the memory meanwhile. */
const attempts = 120
/** Statuses by which a service says no to a token. */
const decisions: ReadonlySet<number> = new Set([401, 403, 429])
/** Statuses by which a server says that there is nothing to join. */
const elsewhere: ReadonlySet<number> = new Set([200, 204, 301, 302, 303, 307, 308, 404, 405, 410, 426])

/** Joins once. Where that is refused, the profile of the file is the mistake only where another profile works. */
async function findJoinProblems(
  signaling: SignalingConfiguration,
  { configuration, clock, network, http, tellWait }: Probing,
  token: JoinToken,
  mayMint: boolean,
): Promise<Problem[]> {
  const { limits } = configuration
  const { driver, noOracle } = await openSignalingDriver(signaling, {
    tokens: null,
    journal: createJournal(),
    secrets: createSecrets(),
    clock,
    limits,
    pacer: createPacers(limits.pace, clock, true).of('signaling'),
    network,
  })
  if (noOracle !== null)
    return problem(
      `${noOracle}: correct signaling.profile.success or failure (twotoken detect prints a profile)`,
    )
  if (driver === undefined) return []
  const joined = await driver.join(token)
  const profile = signaling.access && 'profile' in signaling.access ? signaling.access.profile : null
  if (joined.outcome === 'accepted' && profile !== null)
    return await findShortQuiet(profile, driver, token, tellWait)
  if (joined.outcome !== 'refused') return []
  const isSilent = joined.events.at(-1)?.type === 'timeout'
  const late = isSilent && profile !== null ? await findShortTimeout(profile, driver, token) : []
  if (late.length > 0) return late
  // An ordinary request to its address shows its clock, and which proxy is in front of it.
  const url = signaling.url.replace(/^ws/, 'http')
  const reply = await http.send({ to: 'signaling', method: 'GET', url, headers: [] })
  const plain = reply.kind === 'answer' ? reply : null
  const clocks =
    plain === null ? [] : findClockProblems('signaling', plain, clock).filter(({ fatal }) => fatal)
  if (clocks.length > 0) return clocks
  if (await usesTls(signaling.url, plain, limits.requestSeconds, network))
    return problem(`${signaling.url} uses TLS: write wss:// in signaling.url`)
  const status = statusOf(joined)
  const isBetween = plain !== null && headerOf(plain.headers, 'via') !== undefined
  if (status !== null && (elsewhere.has(status) || (isBetween && !decisions.has(status)))) {
    const anonymous = await driver.attempt({ token: null })
    const seen = `${signaling.url} answered ${status} to an upgrade, with a token and without`
    if (statusOf(anonymous) === status)
      return problem(
        isBetween
          ? `${seen}, from a proxy in between; expected a WebSocket: have the proxy forward upgrades, or write an address behind it in signaling.url`
          : `${seen}; expected a WebSocket: correct the path in signaling.url, or have a proxy in front pass Upgrade and Connection on`,
      )
  }
  const isToSearch = profile !== null && configuration.mint !== undefined && mayMint
  const search = {
    what: 'trying to detect the signaling profile',
    longestMs: longestSearchMs,
    tell: tellWait,
  }
  const found = isToSearch ? await tellingWait(() => findProfile(configuration), search) : null
  const difference = profile === null || found === null ? null : differenceOf(profile, found, joined)
  if (difference !== null)
    return problem(
      `signaling ${joined.summary} after an ordinary token, sent as in signaling.profile; ${difference}`,
    )
  const again = await driver.join(token)
  if (!isRejected(joined) || !isRejected(again)) return []
  // No token was accepted yet, so that a wrong profile is as likely as a broken service.
  const key = profile === null ? 'signaling.adapter' : 'signaling.profile'
  return problem(
    `signaling ${again.summary} when it was offered a fresh calling token: ${signaling.url} refuses every token of this mint, or ${key} does not describe how it answers; correct signaling.url or ${key} (twotoken detect prints a profile)`,
  )
}

/** Says whether what is addressed as ws answers over TLS, and not otherwise. */
async function usesTls(
  address: string,
  plain: Answer | null,
  seconds: number,
  network: Network,
): Promise<boolean> {
  if (!address.startsWith('ws:')) return false
  if (plain !== null) return wantsTls(plain)
  const failure = await tryConnection(new URL(address.replace(/^ws/, 'wss')), seconds * 1000, network)
  if (failure === null) return true
  const { kind, message } = failureOf(failure, seconds * 1000, 0)
  return kind === 'tls' && !isNoTls(message)
}

function statusOf(attempt: Attempt): number | null {
  const last = attempt.outcome === 'accepted' ? undefined : attempt.events.at(-1)
  return last?.type === 'http' ? (last.code ?? null) : null
}

/** A profile by which this service takes tokens, and no damaged ones; null where none was found soon. */
async function findProfile(configuration: Configuration): Promise<SignalingProfile | null> {
  const { backend, ...described } = configuration
  try {
    const { signaling } = await detect(described, { attempts })
    if ('missing' in signaling || signaling.found.letsDamagedIn) return null
    return signaling.found.profile
  } catch (error) {
    if (error instanceof TwotokenError) return null
    throw error
  }
}

function differenceOf(
  written: SignalingProfile,
  found: SignalingProfile,
  { events }: Refused,
): string | null {
  const advice = 'twotoken detect prints the whole profile'
  const { carriage } = found
  const place = 'name' in carriage ? `in: ${carriage.in}, name: ${carriage.name}` : `in: ${carriage.in}`
  if (!isDeepStrictEqual(placeOf(written), placeOf(found)))
    return `it takes the token at { ${place} }: correct signaling.profile.carriage (${advice})`
  if (!isDeepStrictEqual(written.declaredUser, found.declaredUser) && found.declaredUser.in !== 'none')
    return `it needs the userId at { ${shortJson(found.declaredUser)} }: correct signaling.profile.declaredUser (${advice})`
  const hasFrames = events.some(({ type }) => type === 'frame')
  if (!isDeepStrictEqual(written.success, found.success) && (hasFrames || written.success.length === 0))
    return `it indicates success by ${shortJson(found.success)}: correct signaling.profile.success (${advice})`
  return isDeepStrictEqual(written.carriage, found.carriage)
    ? null
    : `it takes the token as { ${shortJson(found.carriage)} }: correct signaling.profile.carriage (${advice})`
}

function placeOf({ carriage }: SignalingProfile): unknown {
  return [carriage.in, 'name' in carriage ? carriage.name.toLowerCase() : null]
}

function shortJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/^\{|\}$/g, '')
    .slice(0, 160)
}

/** Times the measured time: a loaded service is slower. */
const timesMeasured = 3

/** Finds a `timeoutMs` within which signaling accepts no ordinary token, although it does so later. */
async function findShortTimeout(
  { timeoutMs }: SignalingProfile,
  driver: Signaling,
  { jwt, userId }: JoinToken,
): Promise<Problem[]> {
  const deadlineMs = Math.max(generousTimeoutMs, timesMeasured * timeoutMs)
  const made = await driver.attempt({ token: jwt, declaredUser: userId, deadlineMs })
  const measuredMs = made.decidedAt - made.startedAt
  if (made.outcome !== 'accepted' || measuredMs <= timeoutMs) return []
  return problem(
    `signaling accepted an ordinary token after ${Math.round(measuredMs)} ms; signaling.profile.timeoutMs is ${timeoutMs}: write timeoutMs: ${roundUp(measuredMs)} or more`,
  )
}

/** Finds a `quietOpenMs` that is over before signaling rejects: every rejected token would be taken for an accepted one. */
async function findShortQuiet(
  { success, timeoutMs }: SignalingProfile,
  driver: Signaling,
  { jwt, userId }: JoinToken,
  tellWait: Probing['tellWait'],
): Promise<Problem[]> {
  const quiet = success.find((sign) => 'quietOpenMs' in sign)
  // A service that rejects only after a time that is usual elsewhere is judged for it.
  if (quiet === undefined || quiet.quietOpenMs >= usualQuietMs) return []
  const damaged = { token: damageSignature(jwt), declaredUser: userId, case: 'a damaged token' }
  const ordinary = { token: jwt, declaredUser: userId }
  await using stack = new AsyncDisposableStack()
  const held = (made: Attempt) => (made.outcome === 'accepted' ? stack.use(made.socket) : null)
  const made = await driver.hold(damaged)
  const socket = held(made)
  if (socket === null) return []
  const witness = held(await driver.hold(ordinary))
  if (witness === null) return []
  const end = await tellingWait(
    () => socket.next((event) => isEnd(event) || driver.signOf(event) === 'failure', lateRejectionMs),
    { what: 'waiting for signaling to reject a damaged token', longestMs: lateRejectionMs, tell: tellWait },
  )
  if (end === null || (await witness.next(isEnd, togetherMs)) !== null) return []
  const measuredMs = end.at - made.startedAt
  const leastMs = roundUp(measuredMs)
  const longer = leastMs < timeoutMs ? '' : `, and timeoutMs: ${timesMeasured * leastMs}`
  return problem(
    `signaling rejected a damaged token after ${Math.round(measuredMs)} ms; signaling.profile.success accepts it after ${quiet.quietOpenMs} ms without a failure: write quietOpenMs: ${leastMs} or more${longer}`,
  )
}

function problem(message: string): Problem[] {
  return [{ part: 'signaling', kind: 'url', message, fatal: true }]
}

function roundUp(measuredMs: number): number {
  return Math.ceil((timesMeasured * measuredMs) / 100) * 100
}
