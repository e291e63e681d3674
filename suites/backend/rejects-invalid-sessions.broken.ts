import { readToken } from '../../src/base/tokens/decode.ts'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { each, warning } from '../lib/broken-rows.ts'
import {
  type Backend,
  backends,
  bearerOf,
  guarding,
  type Inbound,
  inCookie,
  inHeader,
  inJson,
  inQuery,
  jsonAnswer,
  statedSession,
} from './lib/variants.ts'

const guest = { id: 'guest', userId: 'guest', expiresAt: Number.POSITIVE_INFINITY }

const ofForm = (sessionForm: Backend['sessionForm'], policy: Partial<Backend>): Catch => ({
  backend: { sessionForm, ...policy },
})
const refuses = (status: number, body: unknown): Catch => ({
  backend: { refuseSession: () => jsonAnswer(status, body) },
})

export const broken: BrokenVariants = {
  ...backends({
    'serves everyone': { recall: () => guest },
    'takes the header X-Auth-Request-User for a session, behind a firewall that refuses other such headers': {
      ...trust(inHeader('x-auth-request-user')).backend,
      answer: (usual, { headers }) =>
        'x-forwarded-user' in headers ? jsonAnswer(403, { error: 'forbidden' }) : usual,
    },
    'checks the sessions of GET and POST only': {
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      ...guarding(({ method }) => ['GET', 'POST'].includes(method)),
    },
    'compares the first half of a session': find(
      (token, known) => token !== '' && known.startsWith(token.slice(0, 20)),
    ),
    'looks at all of a session but its middle': find((token, known) => known.slice(-8) === token.slice(-8)),
    'looks for a session that begins so': find(
      (token, known) => token.length >= 28 && known.startsWith(token),
    ),
    'looks for a session that the text begins with': find((token, known) => token.startsWith(known)),
    'takes a session for a query': find((token) => token.startsWith('{') && '$ne' in JSON.parse(token)),
    'puts a session into its SQL': find((token) => /^'\s*or\s*'1'='1$/i.test(token)),
    "takes the user's id for a session": find((token, _, userId) => token === userId),
    'takes expired sessions': { isLive: ({ id }, _, { signedOut }) => !signedOut.has(id) },
    'takes sessions that were signed out': { isLive: ({ expiresAt }, now) => now < expiresAt },
    'redirects to a route that takes everyone': {
      isTokenRoute: ({ pathname }, path) => pathname === path || pathname === '/guest',
      recall: () => guest,
      answer: (usual, { url, headers }) =>
        url.pathname !== '/guest' && !headers.authorization?.startsWith('Bearer sess_')
          ? { status: 307, headers: { location: '/guest' }, body: '' }
          : usual,
    },
  }),
  'serves requests without a session': serveWhere(({ headers }) => !headers.authorization),
  'serves everyone by the other method': serveWhere(({ method }) => method === 'GET'),
  'serves any request with another scheme than Bearer': serveWhere(({ headers }) =>
    /^basic /i.test(headers.authorization ?? ''),
  ),
  ...each(
    'takes the header * for a session',
    ['x-user-id', 'x-forwarded-user', 'x-remote-user', 'x-consumer-username'],
    (name) => trust(inHeader(name)),
  ),
  'takes those without a session at the word of their body': trust(inJson('userId')),
  'takes those without a session at the word of their query': trust(inQuery('uid')),
  ...each('takes those without a session at the word of a cookie *', ['user', 'user_id'], (name) =>
    trust(inCookie(name)),
  ),
  'serves its own machine without a session': trust(({ headers }) =>
    headers['x-forwarded-for']?.startsWith('127.') ? 'internal' : undefined,
  ),
  'checks no session where the path ends with a slash': guardOnly(/^.calling.token$/),
  'checks no session where the path is in another case': guardOnly(/^[^A-Z]+$/),
  'checks no session where the path is in another case, and cuts the first such request off': {
    backend: { ...guardOnly(/^[^A-Z]+$/).backend, ...cutFirstOff(({ url }) => /[A-Z]/.test(url.pathname)) },
  },
  'checks no session where the path has two slashes for one': guardOnly(/^(?!.*\/\/)/),
  'compares sessions without their case': compareBy((token) => token.toLowerCase()),
  'compares the letters and digits of sessions only': compareBy((token) => token.replaceAll(/\W|_/g, '')),
  'compares sessions that are digits as numbers': ofForm(
    'numeric',
    find((token, known) => /^\d+$/.test(token) && Number(token) === Number(known)),
  ),
  'compares the last part of a session without its case': ofForm(
    'dated',
    find((token, known) => {
      const [first, end = '', last = ''] = token.split('.')
      return known.startsWith(`${first}.${end}.`) && known.toLowerCase().endsWith(`.${last.toLowerCase()}`)
    }),
  ),
  'believes a session how long it lives': ofForm('dated', {
    recall: (token, { byToken }) => {
      const [, end = '', last = ''] = token.split('.')
      const session = [...byToken].find(([known]) => last !== '' && known.endsWith(`.${last}`))?.[1]
      return session === undefined ? null : { ...session, expiresAt: Number(end) * 1000 }
    },
  }),
  ...each(
    'takes the text * for a session',
    ['__proto__', 'constructor', 'undefined', 'null', 'test-token'],
    (text) => takes((token) => token === text),
  ),
  'takes a percent sign for a session': takes((token) => token === '%'),
  'lets a session pass that its store cannot take for its length': takes((token) => token.length > 2000),
  'lets a session pass that its store cannot take for its letters': takes((token) =>
    /[\x80-\xff]/.test(token),
  ),
  'takes a calling JWT for a session': takes((token) => readToken(token) !== null),
  'takes the API key for a session': takes((token) => token.startsWith('ac_live_')),
  'decodes signed sessions without verifying them': ofForm('signed', {
    recall: (token) => statedSession(token),
  }),
  'refuses with 200': refuses(200, { error: 'sign in first' }),
  'refuses with a 401 that contains a token': refuses(401, { error: 'x', token: 'eyJhbGciOiJub25lIn0.e30.' }),
  'is overloaded whenever a session is not valid': { ...refuses(503, { error: 'busy' }), as: 'error' },
  ...warning({
    'takes signed sessions that were signed out': ofForm('signed', {
      isLive: ({ expiresAt }, now) => now < expiresAt,
    }),
    'refuses with 403': refuses(403, { error: 'forbidden' }),
    'refuses without saying error': refuses(401, 'Unauthorized'),
  }),
}

function serveWhere(isServed: (request: Inbound) => boolean): Catch {
  return {
    backend: {
      presentedSession: (request) => (isServed(request) ? '' : bearerOf(request)),
      recall: (token, _, usual) => (token === '' ? guest : usual()),
    },
  }
}

/** A backend that serves a guest where it does not know the session, for some texts. */
function takes(isTaken: (token: string) => boolean): Catch {
  return {
    backend: { recall: async (token, _, usual) => (await usual()) ?? (isTaken(token) ? guest : null) },
  }
}

function trust(userIn: (request: Inbound) => string | undefined): Catch {
  return {
    backend: {
      async callingToken(request, { authenticate, mint, userId }) {
        const named = request.headers.authorization === undefined ? userIn(request) : undefined
        return await mint(named ?? userId(await authenticate()))
      },
    },
  }
}

function guardOnly(guarded: RegExp): Catch {
  return {
    backend: {
      isTokenRoute: ({ pathname }, path) =>
        pathname.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '') === path,
      ...guarding(({ url }) => guarded.test(url.pathname)),
    },
  }
}

function compareBy(reduce: (token: string) => string): Catch {
  return { backend: find((token, known) => reduce(token) === reduce(known)) }
}

/** A backend that looks through all its sessions, and takes the first that is live. */
function find(isFound: (token: string, known: string, userId: string) => boolean): Pick<Backend, 'recall'> {
  return {
    recall: (token, { byToken, signedOut }) =>
      byToken.get(token) ??
      [...byToken].find(
        ([known, { id, userId, expiresAt }]) =>
          expiresAt > Date.now() && !signedOut.has(id) && isFound(token, known, userId),
      )?.[1] ??
      null,
  }
}

/** Its server ends the connection of the first such request without a response. */
function cutFirstOff(isMeant: (request: Inbound) => boolean): Pick<Backend, 'answer'> {
  const cut = new Set<string>()
  return {
    answer(usual, request) {
      const { host } = request.url
      if (!isMeant(request) || cut.has(host)) return usual
      cut.add(host)
      throw new Error('the connection is cut off')
    },
  }
}
