import type { Clock } from '../../base/clock.ts'
import { uselessSessionSeconds, usualRunSeconds } from '../../base/times.ts'
import { readToken } from '../../base/tokens/decode.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { listHidden } from '../../configuration/places.ts'
import { mintContract } from '../../contract/mint.ts'
import type { BackendConfiguration } from '../../roles/backend/configuration.ts'
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

type Advised = Readonly<Record<string, string>>

/** Sessions and keys, of which none may be another, each with what to do where it is; the first is what they are compared with. */
const livingSessions: Advised = {
  'backend.sessions.alice.token': '',
  'backend.sessions.bob.token': 'sign in as another user, and use that session',
  'backend.sessions.aliceSecondDevice.token': 'sign the same user in once more, and use that session',
}
const endedSessions: Advised = {
  'backend.sessions.expired.token': 'replace it by an expired session, or remove it',
  'backend.sessions.signedOut.token': 'replace it by a signed-out session, or remove it',
  'backend.sessions.otherApp.token': 'replace it by a token of the login for another app, or remove it',
  'backend.sessions.idToken.token': 'if ID tokens are the sessions, remove it',
  'backend.sessions.refreshToken.token': 'if refresh tokens are the sessions, remove it',
}
const livingKeys: Advised = {
  'mint.apiKey': '',
  'mint.otherProjectKey': "replace it by another project's key, or remove it",
}
const inState = 'replace it by the key of an account in that state, or remove it'
const keysInStates: Advised = {
  'mint.keys.trialEnded': inState,
  'mint.keys.suspended': inState,
  'mint.keys.capped': inState,
}

/** Values of the file that contradict each other: two that must differ and are alike, or the address of another part. */
function findMixedUpProblems(
  { mint, backend, signaling }: Configuration,
  values: ReadonlyMap<string, string>,
  parts: readonly string[],
): Problem[] {
  const { alice, bob } = backend?.sessions ?? {}
  const of = (part: 'mint' | 'backend' | 'signaling', kind: Problem['kind'], messages: readonly string[]) =>
    parts.includes(part) ? messages.map((message): Problem => ({ part, kind, message, fatal: true })) : []
  const areOneUser = bob !== undefined && bob.token !== alice?.token && bob.userId === alice?.userId
  const users = areOneUser
    ? [
        'backend.sessions.bob.userId equals backend.sessions.alice.userId; expected two users: correct one of them',
      ]
    : []
  const double = backend?.fakeMint && `${backend.fakeMint.host}:${backend.fakeMint.port}`
  const route = addressOf(backend?.url)
  const addresses = [
    {
      part: 'mint',
      isWrong: double !== undefined && hostOf(mint?.url) === double,
      message:
        "mint.url is the address of the suite's mint double (backend.fakeMint.listen); expected the real mint: correct it, or remove mint",
    },
    {
      part: 'backend',
      isWrong: mint !== undefined && route === addressOf(mint.url + mintContract.path),
      message: 'backend.url is the address of the mint; expected the token route of the backend: correct it',
    },
    {
      part: 'backend',
      isWrong: double !== undefined && hostOf(backend?.url) === double,
      message:
        "backend.url is the address of the suite's mint double (backend.fakeMint.listen); expected the token route of the backend: correct one of the two",
    },
    {
      part: 'signaling',
      isWrong: route !== undefined && route === addressOf(signaling?.url.replace(/^ws/, 'http')),
      message:
        'signaling.url is the token route of the backend; expected the address of signaling: correct it',
    },
  ] as const
  const wrongUrls = (part: 'mint' | 'backend' | 'signaling') =>
    addresses.flatMap((one) => (one.part === part && one.isWrong ? of(part, 'url', [one.message]) : []))
  return [
    ...of('mint', 'credential', eachOnce(values, livingKeys, keysInStates)),
    ...wrongUrls('mint'),
    ...of('backend', 'session', [...eachOnce(values, livingSessions, endedSessions), ...users]),
    ...wrongUrls('backend'),
    ...wrongUrls('signaling'),
  ]
}

/** A sentence for each living one that equals the first, and each ended one that equals a living one; ended ones may be alike. */
function eachOnce(values: ReadonlyMap<string, string>, living: Advised, ended: Advised): string[] {
  const seen = new Set<string>()
  return Object.keys(living).flatMap((name, place) => {
    const value = values.get(name)
    if (value === undefined || seen.has(value)) return []
    seen.add(value)
    const { [name]: _, ...others } = living
    return Object.entries(place === 0 ? { ...others, ...ended } : ended).flatMap(([key, advice]) =>
      values.get(key) === value ? [`${key} is the same as ${name}: ${advice}`] : [],
    )
  })
}

function addressOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin + new URL(url).pathname
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host
}
