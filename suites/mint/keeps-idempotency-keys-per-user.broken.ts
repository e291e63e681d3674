import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { replay } from './lib/variant-replays.ts'

export const broken: BrokenVariants = {
  ...ofMint({
    'stores responses by Idempotency-Key alone': replay({ keyOf: keyIn('idempotency-key') }),
    'stores responses by Idempotency-Key and API key': replay({
      keyOf: keyIn('idempotency-key'),
      isPerApiKey: true,
    }),
    'stores responses by X-Idempotency-Key': replay({ keyOf: keyIn('x-idempotency-key'), isPerApiKey: true }),
    'stores responses by X-Request-Id': replay({ keyOf: keyIn('x-request-id'), isPerApiKey: true }),
    'stores responses by a field of the body': replay({
      keyOf: ({ body }) => fieldsOf(body).idempotencyKey,
      isPerApiKey: true,
    }),
    'stores responses by a field of the query': replay({
      keyOf: ({ url }) => url.searchParams.get('idempotencyKey') ?? undefined,
    }),
    'stores as much of the key as its column holds': replay({
      keyOf: (request) => keyIn('idempotency-key')(request)?.slice(0, 64),
      isPerApiKey: true,
    }),
    'compares keys without their case': replay({
      keyOf: (request) => keyIn('idempotency-key')(request)?.toLowerCase(),
      isPerApiKey: true,
    }),
    'looks for a stored response before it verifies the API key': replay({
      keyOf: keyIn('idempotency-key'),
      isPerBody: true,
    }),
    'compares the length of the body only': replay({
      keyOf: (request) => {
        const key = keyIn('idempotency-key')(request)
        return key === undefined ? undefined : `${key} ${request.body?.length}`
      },
      isPerApiKey: true,
    }),
    'answers those who ask meanwhile with what the first one gets': replay({
      keyOf: keyIn('idempotency-key'),
      isPerApiKey: true,
      forgetsAfterMs: 0,
      takesMs: 2_000,
    }),
    'mints anew for the user whom the key was used for first': rememberUser(),
  }),
  'takes any API key, and stores no responses': {
    mint: { keyMatches: (presented) => presented.startsWith('ac_live_') },
    as: 'untested',
  },
}

function keyIn(name: string) {
  return ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => headers[name]
}

function fieldsOf(body: string | null): { readonly userId?: string; readonly idempotencyKey?: string } {
  return JSON.parse(body ?? '{}')
}

/** Mints a new token each time, for the user of the first request. */
function rememberUser() {
  const users = new Map<string, string>()
  return {
    async answer<Answer extends { readonly status: number }>(
      usual: Answer,
      request: {
        readonly body: string | null
        readonly headers: Readonly<Record<string, string | undefined>>
      },
      tools: { issueFreely(userId: string): Promise<string> },
    ) {
      const key = keyIn('idempotency-key')(request)
      if (key === undefined || usual.status !== 200) return usual
      const { userId = '' } = fieldsOf(request.body)
      const first = users.get(key) ?? userId
      users.set(key, first)
      return jsonAnswer({ token: await tools.issueFreely(first) })
    },
  }
}
