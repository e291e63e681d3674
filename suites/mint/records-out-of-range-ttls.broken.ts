import { isRecord } from '../../src/base/tokens/decode.ts'
import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'crashes for a ttlSeconds that is no number': {
    mint: {
      answer: (usual, { body }) =>
        typeof ttlOf(body) === 'number' ? usual : { status: 500, headers: {}, body: '{"error":"failed"}' },
    },
    as: 'warn',
  },
  'fails for every request': {
    mint: { answer: () => ({ status: 500, headers: {}, body: '{"error":"failed"}' }) },
    as: 'error',
  },
}

/** Returns the lifetime that a request names; a number where it names none. */
function ttlOf(body: string | null): unknown {
  const read: unknown = JSON.parse(body ?? '{}')
  return isRecord(read) && 'ttlSeconds' in read ? read['ttlSeconds'] : 0
}
