import type { Configuration } from '../../configuration/configuration.ts'
import { mintPath } from '../../roles/mint/driver.ts'
import type { Problem } from './problem.ts'

type Entry = readonly [key: string, value: string | undefined]
type Others = readonly (readonly [key: string, value: string | undefined, advice: string])[]

/** Values of the file that contradict each other: two that must differ and are alike, or the address of another part. */
export function findMixedUpProblems(
  { mint, backend, signaling }: Configuration,
  parts: readonly string[],
): Problem[] {
  const { alice, bob, aliceSecondDevice, expired, signedOut, otherApp, idToken, refreshToken } =
    backend?.sessions ?? {}
  const { trialEnded, suspended, capped } = mint?.keys ?? {}
  const of = (part: 'mint' | 'backend' | 'signaling', kind: Problem['kind'], messages: readonly string[]) =>
    parts.includes(part) ? messages.map((message): Problem => ({ part, kind, message, fatal: true })) : []

  const ended: Others = [
    ['backend.sessions.expired.token', expired?.token, 'put a session there that has expired, or remove it'],
    [
      'backend.sessions.signedOut.token',
      signedOut?.token,
      'put a session there that was signed out, or remove it',
    ],
    [
      'backend.sessions.otherApp.token',
      otherApp?.token,
      'put a token there that the login issued to another app, or remove it',
    ],
    ['backend.sessions.idToken.token', idToken?.token, 'where ID tokens are the sessions, remove it'],
    [
      'backend.sessions.refreshToken.token',
      refreshToken?.token,
      'where refresh tokens are the sessions, remove it',
    ],
  ]
  const living: Others = [
    ['backend.sessions.alice.token', alice?.token, ''],
    ['backend.sessions.bob.token', bob?.token, 'sign in as another user, and put that session there'],
    [
      'backend.sessions.aliceSecondDevice.token',
      aliceSecondDevice?.token,
      'sign the same user in once more, and put that session there',
    ],
  ]
  const sessions = eachOnce(living, ended)
  const users = [
    ...(bob !== undefined && bob.token !== alice?.token
      ? alike(
          ['backend.sessions.alice.userId', alice?.userId],
          [['backend.sessions.bob.userId', bob.userId, 'bob is another user than alice: correct it']],
        )
      : []),
  ]
  const keys = eachOnce(
    [
      ['mint.apiKey', mint?.apiKey, ''],
      ['mint.otherProjectKey', mint?.otherProjectKey, "put another project's key there, or remove it"],
    ],
    [
      [
        'mint.keys.trialEnded',
        trialEnded?.key,
        'put the key of an account in that state there, or remove it',
      ],
      ['mint.keys.suspended', suspended?.key, 'put the key of an account in that state there, or remove it'],
      ['mint.keys.capped', capped?.key, 'put the key of an account in that state there, or remove it'],
    ],
  )
  const routeOf = (url: string | undefined) => (url === undefined ? undefined : addressOf(url))
  const route = routeOf(backend?.url)
  const addresses =
    route === undefined
      ? []
      : [
          ...(mint !== undefined && route === addressOf(mint.url + mintPath)
            ? ['backend.url is the address of the mint; expected the token route of the backend: correct it']
            : []),
          ...(backend?.fakeMint !== undefined &&
          new URL(backend.url).host === `${backend.fakeMint.host}:${backend.fakeMint.port}`
            ? [
                "backend.url is the address of the suite's mint double (backend.fakeMint.listen); expected the token route of the backend: correct one of the two",
              ]
            : []),
        ]
  const double = backend?.fakeMint
  const doubled =
    double !== undefined && mint !== undefined && new URL(mint.url).host === `${double.host}:${double.port}`
      ? [
          "mint.url is the address of the suite's mint double (backend.fakeMint.listen); expected the real mint: correct it, or remove mint",
        ]
      : []
  const signalingAddress = routeOf(signaling?.url.replace(/^ws/, 'http'))
  const signals =
    signalingAddress !== undefined && signalingAddress === route
      ? ['signaling.url is the token route of the backend; expected the address of signaling: correct it']
      : []
  return [
    ...of('mint', 'credential', keys),
    ...of('mint', 'url', doubled),
    ...of('backend', 'session', [...sessions, ...users]),
    ...of('backend', 'url', addresses),
    ...of('signaling', 'url', signals),
  ]
}

/**
 * A sentence for each living one that is the same as the first, and for each ended one that is the same as a living one. Which of
 * two other living ones is the mistake shows when they are used; those that have ended may be alike.
 */
function eachOnce(living: Others, ended: Others): string[] {
  const seen = new Set<string>()
  return living.flatMap(([key, value], place) => {
    if (value === undefined || seen.has(value)) return []
    seen.add(value)
    return alike([key, value], place === 0 ? [...living.slice(1), ...ended] : ended)
  })
}

/** A sentence for each that is the same as the first. */
function alike([name, value]: Entry, others: Others): string[] {
  if (value === undefined) return []
  return others
    .filter(([, other]) => other === value)
    .map(([key, , advice]) => `${key} is the same as ${name}: ${advice}`)
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
