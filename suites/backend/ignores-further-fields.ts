import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { isRecord } from '../../src/base/tokens/decode.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { DoubleCall } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { asForm, asJson, fieldsNamed, headersNamed } from './lib/bodies.ts'
import { isSilent } from './lib/describe-reply.ts'
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
  mints: 8,
  needs: ['backend', 'mintDouble'],
  run: (parts, judge) =>
    parts.mintDouble.scripted(async (double) => {
      const { backend } = parts
      const canary = `field-${parts.randomBytes(8).toString('hex')}`
      const key = `ac_live_${canary}`
      double.lifetime(shortLifetime)
      const first = await askPastCache(parts, double)
      const second = await askPastCache(parts, double)
      const usual = [first, second].flatMap(({ calls }) => calls).map(ttlOf)
      if (usual.length === 0) return judge.untested(explainNoCall(backend, second.reply))
      await attack(judge, {
        control: () => backend.token(),
        cases: casesWith(canary, key, backend.method),
        together: false,
        of: 'for a request with further fields',
        async send({ name, request }) {
          const change = { case: `further fields ${name}`, ...request }
          const { reply, calls } = await askPastCache(parts, double, change)
          const isUndecided = calls.length === 0 && isSilent(reply)
          const unseen = calls.length === 0 && backend.tokenOf(reply) !== null ? answeredFromCache : null
          const evidence = [reply.exchange, ...calls.map(({ exchange }) => exchange)]
          return { calls, isUndecided, unseen, evidence }
        },
        breaches: [
          {
            level: 'advisory',
            saw({ calls }) {
              const call = calls.find((one) => ttlOf(one) === longSeconds || !usual.includes(ttlOf(one)))
              if (call === undefined) return null
              return `a mint call with ${showTtl(call)}, where an ordinary one has ${showTtl(first.calls[0])},`
            },
            expected: 'the lifetime that the backend has chosen',
            fix,
          },
          {
            level: 'must',
            saw: ({ calls }) =>
              calls.some(({ headers }) => headerOf(headers, 'authorization')?.includes(key) === true)
                ? 'a mint call with the API key that the request names as the bearer,'
                : null,
            expected: "the backend's own API key (4.2.3)",
            fix: 'Take the API key from the configuration of the server alone.',
          },
          {
            level: 'advisory',
            saw: ({ calls }) =>
              calls.some(({ target, body }) => findSecret(`${target}\n${body}`, canary) !== null)
                ? 'a made-up field of the request in the mint call'
                : null,
            expected: 'the fields that the backend has chosen',
            fix,
          },
        ],
      })
    }),
})

function casesWith(canary: string, key: string, method: 'POST' | 'GET') {
  const flat = {
    ...fieldsNamed(lifetimeFields, String(longSeconds)),
    ...fieldsNamed(keyFields, key),
    ...fieldsNamed(['role', 'displayName'], canary),
  }
  const lifetimes = Object.fromEntries(lifetimeFields.map((name) => [name, longSeconds]))
  const requests: Readonly<Record<string, BackendRequest>> = {
    ...(method === 'POST' && {
      'in a JSON body': { body: asJson({ ...flat, ...lifetimes, metadata: { note: canary } }) },
      'in a form': { body: asForm(flat) },
    }),
    'in the query': { query: flat },
    'in headers': { headers: headersNamed(keyHeaders, key) },
  }
  return Object.entries(requests).map(([name, request]) => ({ name, request }))
}

function ttlOf({ json }: DoubleCall): unknown {
  return isRecord(json) ? json['ttlSeconds'] : undefined
}

function showTtl(call: DoubleCall | undefined): string {
  const value = call === undefined ? undefined : ttlOf(call)
  if (value === undefined) return 'no ttlSeconds'
  return typeof value === 'number' ? `ttlSeconds ${value}` : `ttlSeconds as ${typeof value}`
}
