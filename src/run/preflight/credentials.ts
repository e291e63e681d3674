import type { Clock } from '../../base/clock.ts'
import { uselessSessionSeconds, usualRunSeconds } from '../../base/times.ts'
import { readToken } from '../../base/tokens/decode.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { listHidden } from '../../configuration/places.ts'
import type { BackendConfiguration } from '../../roles/backend/configuration.ts'
import { findMixedUpProblems } from './mixed-up.ts'
import type { Problem } from './problem.ts'

/** Credentials that cannot be meant as they are written: each is told before it is tried, by its key in the file. */
export function findCredentialProblems(
  configuration: Configuration,
  parts: readonly string[],
  wallNow: number,
): Problem[] {
  const credentials = credentialsOf(configuration)
  const odd = credentials.flatMap((credential): Problem[] => {
    const { part, key } = credential
    const sentence = parts.includes(part) ? whatIsOdd(credential, wallNow) : null
    if (sentence === null) return []
    const kind = credential.kind === 'api-key' ? 'credential' : 'session'
    return [{ part, kind, message: `${key} ${sentence}`, fatal: true }]
  })
  const values = new Map(credentials.map(({ key, value }) => [key, value]))
  return [...odd, ...findMixedUpProblems(configuration, values, parts)]
}

/** The rest of the sentence that begins with the key; null where nothing is odd. Never shows the value. */
function whatIsOdd({ key, value, kind, mayHaveEnded }: Credential, wallNow: number): string | null {
  if (kind === 'cookie')
    return /^[^\s=;,]+=[^\s;,]+$/.test(value) ? null : 'is not a cookie; expected name=value: write both'
  if (value.trim() === '') return 'is blank: set a credential, or remove the line'
  if (placeholders.some((form) => form.test(value.trim())))
    return 'is a placeholder that was never filled in: write the credential itself'
  if (/[\r\n]/.test(value.trim()))
    return 'has more than one line; expected the credential alone: remove the rest'
  if (/^bearer\s/i.test(value)) return 'begins with "Bearer", which the suite adds itself: remove that word'
  if (/^(["']).*\1$/.test(value)) return 'contains its quotation marks: remove them'
  if (/^\s*\{.*\}\s*$/.test(value))
    return 'is a JSON object; expected the credential alone: print its field (jq -r), or correct the login request'
  if (/\s/.test(value.trim())) return 'contains a space; expected the credential alone: remove the rest'
  const token = readToken(value)
  if (kind === 'api-key' && token?.format === 'JWS')
    return 'is a JWT (a session or calling token?); expected a server key: write the API key'
  if (kind === 'session' && value.startsWith('ac_live_'))
    return "is a server key; expected a user's sessionToken: sign the user in, and write that"
  const exp = token?.claims?.['exp']
  if (kind === 'session' && !mayHaveEnded && typeof exp === 'number' && exp * 1000 < wallNow)
    return `expired ${spanOf(wallNow - exp * 1000)} ago (exp); expected a live session: sign in again and replace it`
  if (key === 'backend.sessions.expired.token' && typeof exp === 'number' && exp * 1000 > wallNow)
    return `expires in ${spanOf(exp * 1000 - wallNow)} (exp); expected an expired session: replace it by one, or remove it (a signed-out session belongs in backend.sessions.signedOut)`
  return null
}

function spanOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** Forms that examples and templates write in place of a credential. */
const placeholders: readonly RegExp[] = [
  /^<.*>$/s,
  /^\{\{.*\}\}$/s,
  /^\$\(?\w+\)?$/,
  /^%\w+%$/,
  /^(?:process|import\.meta)\.env\b/,
  /^(?:change|replace|fill|insert|paste|put)[-_ ]?(?:me|this|it|in|here|your|with)\b/i,
  /^(?:todo|tbd|fixme|placeholder|undefined|null|none)$/i,
  /^your[-_ ].*(?:key|token|session|secret|credential|here)s?$/i,
  /^(?:ac_live_)?(?:x{3,}|\*+|\.{2,}|…|your[-_].*|here|key)$/i,
]

interface Credential {
  readonly part: 'mint' | 'backend'
  readonly key: string
  readonly value: string
  readonly kind: 'api-key' | 'session' | 'cookie'
  /** Configured because it has ended, or never was a session. */
  readonly mayHaveEnded: boolean
}

const kinds = ['cookie', 'api-key', 'session'] as const
const endedNames: ReadonlySet<unknown> = new Set([
  'expired',
  'signedOut',
  'otherApp',
  'idToken',
  'refreshToken',
])

/** The credentials of mint and backend by their keys in the file: cookies first, then keys and sessions. */
function credentialsOf(configuration: Configuration): Credential[] {
  const found = listHidden(configuration).flatMap(({ path, value, place: { label } }): Credential[] => {
    const [part, , name] = path
    if ((part !== 'mint' && part !== 'backend') || typeof value !== 'string' || label === 'secret') return []
    // A key whose account is in a state may be written alone.
    const key = path.join('.').replace(/^(mint\.keys\.\w+)\.key$/, '$1')
    return [{ part, key, value, kind: label, mayHaveEnded: endedNames.has(name) }]
  })
  return kinds.flatMap((kind) => found.filter((one) => one.kind === kind))
}

/** Sessions that say in their claims that they end within a run, or sooner than they are renewed. */
export function findShortSessions({ sessions }: BackendConfiguration, clock: Clock): Problem[] {
  const { alice, aliceSecondDevice, bob } = sessions
  return Object.entries({ alice, aliceSecondDevice, bob }).flatMap(([name, session]): Problem[] => {
    const exp = session === undefined ? undefined : readToken(session.token)?.claims?.['exp']
    if (session === undefined || typeof exp !== 'number') return []
    const key = `backend.sessions.${name}`
    const { renewal } = session
    const lifetime = Math.round(exp - (renewal?.obtainedAt ?? clock.wall()) / 1000)
    const isRenewedInTime = renewal !== undefined && renewal.everySeconds < lifetime
    if (isRenewedInTime || lifetime <= 0 || (renewal === undefined && lifetime > usualRunSeconds)) return []
    const message =
      renewal === undefined
        ? `${key} ends in ${lifetime} s; expected a session that outlives the run: write token: { command: …, freshEverySeconds: … }, a command that prints a new one`
        : `${key} lives ${lifetime} s, and is renewed every ${renewal.everySeconds} s; expected a renewal before its end: make freshEverySeconds shorter`
    return [
      {
        part: 'backend',
        kind: 'session',
        message,
        fatal: renewal === undefined && lifetime <= uselessSessionSeconds,
      },
    ]
  })
}
