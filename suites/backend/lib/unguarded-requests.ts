import type { BackendRequest } from '../../../src/roles/backend/driver.ts'
import { userHeaders } from '../../lib/user-headers.ts'
import { asForm, asJson, cookiesNamed, fieldsNamed, headersNamed } from './bodies.ts'

/** Those of single products, and rarer names. */
export const rareUserHeaders = [
  ...['X-Auth-User-Id', 'X-WebAuth-User', 'X-Authenticated-Userid', 'X-Consumer-Username'],
  ...['X-Consumer-Custom-Id', 'X-Forwarded-Preferred-Username', 'X-Amzn-Oidc-Identity'],
  ...['X-Ms-Client-Principal-Id', 'X-Goog-Authenticated-User-Id'],
]
const ownMachine = [
  ...headersNamed(['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP'], '127.0.0.1'),
  ['Forwarded', 'for=127.0.0.1'],
] as const
const idNames = [
  ...['userId', 'user_id', 'uid', 'id', 'sub', 'user', 'username', 'login', 'account', 'account_id'],
  'identity',
]

/**
 * Requests without a session that name a user, as a gateway would or as BACK-04 does, for a route that takes those who have none
 * at their word; and methods and paths that a router may lead to the route past the check of the session.
 */
export function createUnguardedRequests(userId: string): Readonly<Record<string, BackendRequest>> {
  // No header carries some ids.
  const naming = (names: readonly string[]) =>
    /^[\x20-\x7e]+$/.test(userId) ? headersNamed(names, userId) : []
  const users = naming([...userHeaders, ...rareUserHeaders])
  const plain = fieldsNamed(idNames, userId)
  const named: Readonly<Record<string, BackendRequest>> = {
    'headers that name a user': { headers: users },
    "headers that name a user and the backend's own machine": { headers: [...users, ...ownMachine] },
    // A firewall may refuse a request for one of them, and let others pass.
    ...Object.fromEntries(naming(userHeaders).map((one) => [`a header ${one[0]}`, { headers: [one] }])),
    'userId in JSON': { method: 'POST', body: asJson({ userId }) },
    'ids under every name in JSON': { method: 'POST', body: asJson(plain) },
    'an id in an object in JSON': { method: 'POST', body: asJson({ ...plain, user: plain }) },
    'ids under every name in a form': { method: 'POST', body: asForm(plain) },
    'userId in the query': { query: { userId } },
    'ids under every name in the query': { query: plain },
    'ids in cookies': { headers: [['cookie', cookiesNamed(idNames, encodeURIComponent(userId))]] },
  }
  const sideways: Readonly<Record<string, BackendRequest>> = {
    ...Object.fromEntries(
      ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].map((method) => [`by ${method}`, { method }]),
    ),
    'at the path with a slash more or less at its end': { path: turnSlash },
    'at the path with two slashes for one': { path: (path) => path.replace(/\/(?=[^/]*\/?$)/, '//') },
    'at the path in another case': { path: turnCase },
  }
  return Object.fromEntries([
    ...Object.entries(named).map(([name, request]) => [`no session, but ${name}`, request]),
    ...Object.entries(sideways).map(([name, request]) => [`no session, ${name}`, request]),
  ])
}

function turnSlash(path: string): string {
  return path.endsWith('/') && path !== '/' ? path.slice(0, -1) : `${path}/`
}

/** The first letter of the last segment: `/calling/Token`. */
function turnCase(path: string): string {
  return path.replace(/(?<=\/[^/a-z]*)[a-z](?=[^/]*\/?$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
