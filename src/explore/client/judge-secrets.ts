import { collectSessions, locateSecrets, misplaced } from '../../roles/client/capture/locate-secrets.ts'
import type { ClientApp, SignedIn } from '../../roles/client/types.ts'
import type { OwnBreach } from './judge-attempts.ts'

/** Which tokens of the story got to where they do not belong. */
export async function judgeSecrets(
  app: ClientApp,
  users: readonly SignedIn[],
  isInCookie: boolean,
): Promise<OwnBreach[]> {
  const jwts = app.issued().map(({ jwt }) => jwt)
  const [first] = locateSecrets(
    await app.capture(),
    collectSessions(
      app,
      users.map(({ sessionToken }) => sessionToken),
    ),
    jwts,
  ).filter(
    ({ kind, capture: { place } }) =>
      misplaced[kind].includes(place) &&
      // The browser decides where a cookie with the credential is sent.
      !(isInCookie && (place === 'cookie' || place === 'own hosts: headers and body')),
  )
  if (first === undefined) return []
  const { kind, capture, encoding } = first
  return [
    {
      invariant: 'EXP-31',
      saw: `the ${kind} in ${capture.place} (${capture.name})${encoding === 'plain' ? '' : `, ${encoding}`}`,
      expected:
        kind === 'sessionToken'
          ? "the sessionToken at the customer's own API only (5.1; client.ownHosts adds hosts)"
          : 'the calling JWT at signaling only, as the credential (5.1; client.serviceHosts adds hosts)',
      fix: 'Build every request from scratch, also those that report an error.',
      evidence: capture.exchange === '' ? [] : [capture.exchange],
    },
  ]
}
