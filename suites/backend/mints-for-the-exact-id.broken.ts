import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { all, warning } from '../lib/broken-rows.ts'
import { cacheUntil, keepFirst } from './lib/variant-caches.ts'
import { alsoWithoutDouble, type Backend, calling } from './lib/variants.ts'

const changes = (change: (userId: string) => string): Catch => ({
  backend: { userId: ({ userId }) => change(userId) },
})
const changesOwn = (of: string, change: string) => (id: string) => (id === of ? change : id)

const foreignId = 'acme|Zoë'
const inSmallLetters = changes((id) => id.toLowerCase())
const naming = (userId: string, id: string): Partial<Backend> => ({
  ...changes(changesOwn('u-Alice', userId)).backend,
  success: (usual, { token }) => ({ ...usual, body: JSON.stringify({ token, user: { id } }) }),
})
const withoutOdd = { configuration: { backend: { sessions: { odd: null } } } }
const asAlice = (userId: string) => ({
  configuration: { backend: { sessions: { alice: { userId }, aliceSecondDevice: { userId }, odd: null } } },
})
/** A backend that garbles the id of alice, which has a letter outside ASCII; no user is listed as odd. */
const garbles = (change: (userId: string) => string): Catch =>
  changes(changesOwn('u-Alice', change(foreignId)))

export const broken: BrokenVariants = {
  'writes the body by hand': calling((_, { order }) => ({
    body: `{"userId":"${order.userId}","ttlSeconds":${order.ttlSeconds}}`,
  })),
  ...alsoWithoutDouble({ 'encodes the id as for an address': changes(encodeURIComponent) }),
  'cuts the id at a #': changes((id) => id.split('#')[0] ?? id),
  'folds the id to another form of its letters': changes((id) => id.normalize('NFD')),
  'keeps tokens by what an address keeps of the id': {
    backend: keepFirst((userId) => (/^[\w-]+$/.test(userId) ? userId : 'odd')),
  },
  'keeps tokens by the id in small letters, until half a minute before their end': {
    backend: cacheUntil(
      ({ expiresAt }) => expiresAt - 30_000,
      (id) => id.toLowerCase(),
    ),
  },
  ...all(withoutOdd, {
    ...alsoWithoutDouble({
      'mints for ids in small letters, where sessions name them otherwise': {
        backend: { sessionForm: 'signed', ...inSmallLetters.backend },
      },
    }),
    ...warning({
      'mints for ids in small letters, and sessions do not name them': inSmallLetters,
      'mints for a part of the id': changes((id) => id.replace(/^u-/, '')),
    }),
  }),
  ...all(asAlice(foreignId), {
    ...alsoWithoutDouble({ 'reads the id as Latin-1': garbles((id) => Buffer.from(id).toString('latin1')) }),
    'percent-encodes the id of a user whom the file has among the usual ones': garbles(encodeURIComponent),
    'percent-encodes the id, and responses name it so': {
      backend: naming(encodeURIComponent(foreignId), encodeURIComponent(foreignId)),
      as: 'warn',
    },
  }),
  'mints for the number in the id, where responses name the id': {
    ...asAlice('00417'),
    backend: naming('417', '00417'),
  },
  'rejects users with a quote in their id': {
    backend: {
      recall: async (_, __, usual) => {
        const session = await usual()
        return session !== null && /["']/.test(session.userId) ? null : session
      },
    },
    as: 'warn',
  },
}
