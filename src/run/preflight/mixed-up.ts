import type { Configuration } from '../../configuration/configuration.ts'
import { mintContract } from '../../contract/mint.ts'
import type { Problem } from './problem.ts'

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
export function findMixedUpProblems(
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
