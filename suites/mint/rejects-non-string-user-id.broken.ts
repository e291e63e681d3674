import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'mints for "undefined"': { mint: { userId: (value) => String(value) } },
  'has an anonymous user': { mint: { userId: (value) => text(value ?? 'anonymous') } },
  'has an anonymous user for null only': {
    mint: { userId: (value) => text(value === null ? 'anonymous' : value) },
  },
  'takes the first of an array': {
    mint: { userId: (value) => text(Array.isArray(value) ? value[0] : value) },
  },
  'joins an array': { mint: { userId: (value) => text(Array.isArray(value) ? value.join() : value) } },
  'writes an object as JSON': {
    mint: { userId: (value) => (typeof value === 'object' ? JSON.stringify(value) : text(value)) },
  },
  'crashes for what is not a string': {
    mint: {
      answer: (usual) =>
        usual.status === 400 ? { status: 500, headers: {}, body: '{"error":"failed"}' } : usual,
    },
    as: 'warn',
  },
}

/** Throws for any other value, so that a broken variant fails as a crash would. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('userId is not a string')
  return value
}
