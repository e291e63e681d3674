import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { all, warning } from '../lib/broken-rows.ts'
import { cacheUntil, keepFirst } from './lib/variant-caches.ts'
import { alsoWithoutDouble, type Backend, calling } from './lib/variants.ts'

/** A backend that changes ids before it mints. */
const changes = (change: (userId: string) => string): Catch => ({
  backend: { userId: ({ userId }) => change(userId) },
})
/** A backend that writes the body of its mint call by hand. */
const writes = (change: (userId: string) => string): Catch =>
  calling((_, { order }) => ({
    body: `{"userId":"${change(String(order.userId))}","ttlSeconds":${order.ttlSeconds}}`,
  }))
const changesOwn = (of: string, change: string) => (id: string) => (id === of ? change : id)

const foreignId = 'acme|Zoë'
const signed: Partial<Backend> = { sessionForm: 'signed' }
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
  'writes the body by hand': writes((id) => id),
  'escapes quotes alone': writes((id) => id.replaceAll('"', '\\"')),
  ...alsoWithoutDouble({ 'encodes the id as for an address': changes(encodeURIComponent) }),
  'decodes the id as from an address': changes(decoded),
  'removes quotes': changes((id) => id.replaceAll(/["']/g, '')),
  'removes what is not ASCII': changes((id) => id.replaceAll(/\P{ASCII}/gu, '')),
  'writes a question mark for what Latin-1 lacks': changes((id) =>
    id.replaceAll(/[\u{100}-\u{10ffff}]/gu, '?'),
  ),
  'cuts the id at a #': changes((id) => id.split('#')[0] ?? id),
  'joins blanks and line breaks': changes((id) => id.replaceAll(/\s+/g, ' ').trim()),
  'folds the id to another form of its letters': changes((id) => id.normalize('NFD')),
  'keeps tokens by what an address keeps of the id': {
    backend: keepFirst((userId) => (/^[\w-]+$/.test(userId) ? userId : 'odd')),
  },
  'keeps tokens by the length of the id': {
    backend: cacheUntil(
      ({ expiresAt }) => expiresAt,
      ({ length }) => String(length),
    ),
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
        backend: { ...signed, ...inSmallLetters.backend },
      },
    }),
    ...warning({
      'mints for ids in small letters, and sessions do not name them': inSmallLetters,
      'mints for a part of the id': changes((id) => id.replace(/^u-/, '')),
    }),
  }),
  ...all(asAlice(foreignId), {
    'writes the mint call in Latin-1': garbles((id) => Buffer.from(id, 'latin1').toString()),
    ...alsoWithoutDouble({ 'reads the id as Latin-1': garbles((id) => Buffer.from(id).toString('latin1')) }),
    'writes a question mark for letters outside ASCII': garbles((id) => id.replaceAll(/\P{ASCII}/gu, '?')),
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

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
