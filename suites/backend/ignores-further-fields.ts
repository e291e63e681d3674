import { findSecret } from '../../src/base/evidence/find-secret.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { isRecord } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { DoubleCall } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { fieldsOf } from './lib/variant-fields.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

/** Ten days: a lifetime that no backend asks for by itself. */
const longSeconds = 864_000
/** A request that could choose the lifetime calls it so. */
const lifetimeFields = ['ttlSeconds', 'ttl', 'ttl_seconds', 'expiresIn', 'expires_in', 'lifetime', 'duration']
/** A request that could choose the API key calls it so. */
const keyFields = ['apiKey', 'api_key', 'api-key', 'key']
const keyHeaders = ['X-Api-Key', 'Api-Key', 'X-Calling-Key', 'X-Calling-Api-Key']
const fix = 'Build the mint call from the session alone.'

export default defineCheck({
  id: 'BACK-17',
  role: 'backend',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['5.4', '4.2.3'],
  title: 'keeps fields of app requests out of the mint call',
  why: 'An app that can choose the lifetime, the API key, or any other part of the mint call, decides what the backend alone should decide.',
  how: {
    does: [
      "Two ordinary requests show the backend's mint call at the suite's mint double.",
      "Then the app's request names 864000 as ttlSeconds, ttl, expiresIn and the like, and made-up fields in a JSON body, a form and the query.",
      'Passes where the backend rejects such a request.',
    ],
    fails: ['A mint call with the API key that the request names as the bearer.'],
    warns: [
      'A mint call with that lifetime, with another ttlSeconds than the ordinary calls, or with one of the made-up fields.',
    ],
  },
  mints: 6,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    const canary = `field-${parts.randomBytes(8).toString('hex')}`
    const key = `ac_live_${canary}`
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      const first = await askPastCache(parts, double)
      const second = await askPastCache(parts, double)
      const usual = [first, second].flatMap(({ calls }) => calls).map(ttlOf)
      if (usual.length === 0) return judge.untested(explainNoCall(backend, second.reply))
      for (const [place, request] of requestsWith(canary, key, backend.method)) {
        const { reply, calls } = await askPastCache(parts, double, {
          case: `further fields ${place}`,
          ...request,
        })
        if (calls.length === 0 && backend.tokenOf(reply) !== null) {
          judge.untested(answeredFromCache)
          continue
        }
        if (calls.length === 0 && leaveUndecided(judge, reply, `for a request with fields ${place}`)) continue
        const otherTtl = calls.find((call) => ttlOf(call) === longSeconds || !usual.includes(ttlOf(call)))
        judge.advisory(otherTtl === undefined, {
          case: `fields ${place}`,
          saw: `a mint call with ${showTtl(otherTtl)} for a request that asks for ${longSeconds} s ${place}; an ordinary one has ${showTtl(first.calls[0])}`,
          expected: 'the lifetime that the backend has chosen',
          fix,
          evidence: [reply.exchange, ...(otherTtl === undefined ? [] : [otherTtl.exchange])],
        })
        const withKey = calls.find(
          ({ headers }) => headerOf(headers, 'authorization')?.includes(key) === true,
        )
        judge.must(withKey === undefined, {
          case: `an API key ${place}`,
          saw: `a mint call with the API key that the request names ${place} as the bearer`,
          expected: "the backend's own API key (4.2.3)",
          fix: 'Take the API key from the configuration of the server alone.',
          evidence: [reply.exchange, ...(withKey === undefined ? [] : [withKey.exchange])],
        })
        const copied = calls.filter(({ target, body }) => findSecret(`${target}\n${body}`, canary) !== null)
        judge.advisory(copied.length === 0, {
          case: `fields ${place}`,
          saw: `a made-up field of the request ${place} in the mint call`,
          expected: 'the fields that the backend has chosen',
          fix,
          evidence: [reply.exchange, ...copied.map(({ exchange }) => exchange)],
        })
      }
    })
  },
  catches: {
    'takes the lifetime of the JSON body': {
      backend: mintWith(({ body }) => ({ ttlSeconds: fieldsOf(body)['ttlSeconds'] })),
      as: 'warn',
    },
    'takes expiresIn of the JSON body': {
      backend: mintWith(({ body }) => ({ ttlSeconds: fieldsOf(body)['expiresIn'] })),
      as: 'warn',
    },
    'takes ttl of the query': {
      backend: mintWith(({ url }) => ({ ttlSeconds: numberOf(url.searchParams.get('ttl')) })),
      as: 'warn',
    },
    'takes the lifetime of the query': {
      backend: mintWith(({ url }) => ({ ttlSeconds: numberOf(url.searchParams.get('ttlSeconds')) })),
      as: 'warn',
    },
    'takes the lifetime of the form': {
      backend: mintWith(({ body }) => ({
        ttlSeconds: numberOf(new URLSearchParams(body).get('ttlSeconds')),
      })),
      as: 'warn',
    },
    'takes a lifetime up to an hour': {
      backend: mintWith(({ body }) => {
        const asked = fieldsOf(body)['ttlSeconds']
        return { ttlSeconds: typeof asked === 'number' ? Math.min(asked, 3600) : undefined }
      }),
      as: 'warn',
    },
    'passes the body through': {
      backend: mintWith(({ body }, { userId }) => ({ ...fieldsOf(body), userId })),
      as: 'warn',
    },
    'takes the API key of X-Api-Key': { backend: mintWithKey(({ headers }) => headers['x-api-key']) },
    'takes the API key of the JSON body': {
      backend: mintWithKey(({ body }) => fieldsOf(body)['apiKey']),
    },
    'takes the API key of the query': {
      backend: mintWithKey(({ url }) => url.searchParams.get('key')),
    },
    'passes the query through': {
      backend: {
        mintCall: (usual, { inbound }) => ({ ...usual, path: `${usual.path}${inbound.url.search}` }),
      },
      as: 'warn',
    },
  },
})

function requestsWith(
  canary: string,
  key: string,
  method: 'POST' | 'GET',
): (readonly [place: string, request: BackendRequest])[] {
  const lifetimes = Object.fromEntries(lifetimeFields.map((name) => [name, longSeconds]))
  const keys = Object.fromEntries(keyFields.map((name) => [name, key]))
  const fields = { ...lifetimes, ...keys, role: canary, displayName: canary, metadata: { note: canary } }
  const flat = Object.fromEntries(
    Object.entries({ ...lifetimes, ...keys, role: canary, displayName: canary }).map(([name, value]) => [
      name,
      String(value),
    ]),
  )
  const inQuery = ['in the query', { query: flat }] as const
  const inHeaders = ['in headers', { headers: keyHeaders.map((name) => [name, key] as const) }] as const
  if (method === 'GET') return [inQuery, inHeaders]
  const form = new URLSearchParams(flat).toString()
  return [
    ['in a JSON body', { body: { text: JSON.stringify(fields), contentType: 'application/json' } }],
    ['in a form', { body: { text: form, contentType: 'application/x-www-form-urlencoded' } }],
    inQuery,
    inHeaders,
  ]
}

function ttlOf({ json }: DoubleCall): unknown {
  return isRecord(json) ? json['ttlSeconds'] : undefined
}

function showTtl(call: DoubleCall | undefined): string {
  const value = call === undefined ? undefined : ttlOf(call)
  if (value === undefined) return 'no ttlSeconds'
  return typeof value === 'number' ? `ttlSeconds ${value}` : `ttlSeconds as ${typeof value}`
}

interface Inbound {
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A backend that adds what it finds in the request to its mint call. */
function mintWith(
  found: (request: Inbound, order: { readonly userId: unknown }) => Readonly<Record<string, unknown>>,
) {
  return {
    mintCall<Call extends { readonly body: string | null }>(
      usual: Call,
      { order, inbound }: { readonly order: { readonly userId: unknown }; readonly inbound: Inbound },
    ) {
      const added = Object.entries(found(inbound, order)).filter(([, value]) => value !== undefined)
      return { ...usual, body: JSON.stringify({ ...order, ...Object.fromEntries(added) }) }
    },
  }
}

/** A backend that prefers an API key of the request, wherever that is. */
function mintWithKey(keyOf: (request: Inbound) => unknown) {
  return {
    mintCall<Call extends { readonly headers: Readonly<Record<string, string>> }>(
      usual: Call,
      { inbound }: { readonly inbound: Inbound },
    ) {
      const key = keyOf(inbound)
      if (typeof key !== 'string') return usual
      return { ...usual, headers: { ...usual.headers, authorization: `Bearer ${key}` } }
    },
  }
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text)
}
