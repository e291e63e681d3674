import type { BackendRequest } from '../../../src/roles/backend/driver.ts'
import { rareUserHeaders, userHeaders } from './user-headers.ts'

/** A request; its name completes "a request with …". */
export type NamedRequest = readonly [name: string, request: BackendRequest]

const idNames = [
  'userId',
  'user_id',
  'uid',
  'id',
  'sub',
  'user',
  'username',
  'login',
  'account',
  'account_id',
  'identity',
] as const
const ownMachine = [
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Real-IP', '127.0.0.1'],
  ['True-Client-IP', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1'],
] as const

/** Requests without a session that say, as a gateway would, who the user is, or that they come from the same machine. */
export function createGatewayRequests(userId: string): NamedRequest[] {
  const users = naming(userId, [...userHeaders, ...rareUserHeaders])
  return [
    ['no session, but headers that name a user', { session: null, headers: users }],
    [
      "no session, but headers that name a user and the backend's own machine",
      { session: null, headers: [...users, ...ownMachine] },
    ],
  ]
}

/** The same headers one at a time: a firewall may refuse a request for one of them, and let others pass. */
export function createSingleHeaderRequests(userId: string): NamedRequest[] {
  return naming(userId, userHeaders).map(([name, value]) => [
    `no session, but a header ${name}`,
    { session: null, headers: [[name, value]] },
  ])
}

/** Requests without a session that name the user as BACK-04 does, for a route that takes those who have none at their word. */
export function createNamingRequests(userId: string): NamedRequest[] {
  const plain = Object.fromEntries(idNames.map((name) => [name, userId]))
  const json = (value: object) => ({ text: JSON.stringify(value), contentType: 'application/json' })
  const cookie = idNames.map((name) => `${name}=${encodeURIComponent(userId)}`).join('; ')
  const form = {
    text: new URLSearchParams(plain).toString(),
    contentType: 'application/x-www-form-urlencoded',
  }
  const places: readonly (readonly [place: string, request: BackendRequest])[] = [
    ['userId in JSON', { method: 'POST', body: json({ userId }) }],
    ['ids under every name in JSON', { method: 'POST', body: json(plain) }],
    ['an id in an object in JSON', { method: 'POST', body: json({ ...plain, user: plain }) }],
    ['ids under every name in a form', { method: 'POST', body: form }],
    ['userId in the query', { query: { userId } }],
    ['ids under every name in the query', { query: plain }],
    ['ids in cookies', { headers: [['cookie', cookie]] }],
  ]
  return places.map(([place, request]) => [`no session, but ${place}`, { ...request, session: null }])
}

/** None for an id that no header carries. */
function naming(userId: string, names: readonly string[]): (readonly [name: string, value: string])[] {
  return /^[\x20-\x7e]+$/.test(userId) ? names.map((name) => [name, userId]) : []
}

/** Requests without a session by methods and paths that a router may lead to the route past the check of the session. */
export function createSidewayRequests(): NamedRequest[] {
  return [
    ...['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].map(
      (method) => [`no session, by ${method}`, { session: null, method }] as const,
    ),
    ['no session, at the path with a slash more or less at its end', { session: null, path: turnSlash }],
    ['no session, at the path with two slashes for one', { session: null, path: doubleSlash }],
    ['no session, at the path in another case', { session: null, path: turnCase }],
  ]
}

function turnSlash(path: string): string {
  return path.endsWith('/') && path !== '/' ? path.slice(0, -1) : `${path}/`
}

function doubleSlash(path: string): string {
  return path.replace(/\/(?=[^/]*\/?$)/, '//')
}

/** The first letter of the last segment: `/calling/Token`. */
function turnCase(path: string): string {
  return path.replace(/(?<=\/[^/a-z]*)[a-z](?=[^/]*\/?$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
