import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'
import { type Backend, bearerOf, inCookie } from './lib/variants.ts'

const loginCookie = '3f9aB27cD1e80GhT55kLmN'
const configuration = { backend: { request: { headers: { origin: 'https://app.example' } } } }

export const broken: BrokenVariants = warning({
  'reflects the origin with credentials': admits(() => true),
  'reflects the origin by preflight only': {
    backend: {
      answer: (usual, { method, headers }) =>
        method === 'OPTIONS' ? { status: 204, headers: credentialsFor(headers['origin']), body: '' } : usual,
    },
  },
  'allows the origin null with credentials': admits((from) => from === 'null'),
  'allows what begins as its own origin': {
    ...admits((from) => from.startsWith('https://app.example')),
    configuration,
  },
  'allows what ends as its own host': { ...admits((from) => from.endsWith('app.example')), configuration },
  'allows what begins as its origin of development': admits((from) => from.startsWith('http://localhost')),
  'allows any origin for errors': admits((_, { status }) => status === 401),
  'takes the session from a cookie': {
    backend: { presentedSession: (request) => bearerOf(request) ?? inCookie('session')(request) ?? null },
  },
  'takes a cookie that differs from the session': {
    backend: {
      presentedSession: (request) => bearerOf(request) ?? inCookie('shop_login')(request) ?? null,
      recall: async (token, _, usual) =>
        token === loginCookie
          ? { id: 'login', userId: 'u-cookie', expiresAt: Number.POSITIVE_INFINITY }
          : await usual(),
    },
    configuration: { backend: { sessions: { alice: { cookie: `shop_login=${loginCookie}` } } } },
  },
})

type Answer = Parameters<Backend['answer']>[0]

function admits(isAdmitted: (from: string, answer: Answer) => boolean): Catch {
  return {
    backend: {
      answer(usual, { headers: { origin } }) {
        if (origin === undefined || !isAdmitted(origin, usual)) return usual
        return { ...usual, headers: { ...usual.headers, ...credentialsFor(origin) } }
      },
    },
  }
}

function credentialsFor(origin: string | undefined): Readonly<Record<string, string>> {
  return origin === undefined
    ? {}
    : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' }
}
