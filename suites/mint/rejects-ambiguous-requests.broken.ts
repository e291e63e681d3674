import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'

/** For whom a mint issues a body with these userIds. */
const readers: Readonly<Record<string, (named: readonly string[]) => unknown>> = {
  'joins two userIds': (named) => named.join(','),
  'has an anonymous user for a body that names two': (named) => (named.length > 1 ? 'anonymous' : named[0]),
}

export const broken: BrokenVariants = rows(readers, (read) => ({
  mint: {
    fields: ({ body }) => ({
      userId: read([...(body ?? '').matchAll(/"userId":"([^"]*)"/gi)].map(([, userId = '']) => userId)),
    }),
  },
}))
