import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'joins two userIds': {
    mint: {
      fields: ({ body }) => {
        const named = [...(body ?? '').matchAll(/"userId":"([^"]*)"/gi)].map(([, userId]) => userId)
        return { userId: named.join(',') }
      },
    },
  },
  'has an anonymous user for a body that names two': {
    mint: {
      fields: ({ body }) => {
        const fields: Record<string, unknown> = JSON.parse(body ?? '{}')
        return (body?.match(/"userId"/gi)?.length ?? 0) > 1 ? { ...fields, userId: 'anonymous' } : fields
      },
    },
  },
}
