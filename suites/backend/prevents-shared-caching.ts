import type { Answer, Reply } from '../../src/base/http/client.ts'
import { type Headers, headerOf } from '../../src/base/http/headers.ts'
import { inBatches, judgeCases } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import { assertTokenField } from '../../src/roles/backend/driver.ts'
import { isSilent, showReply } from './lib/describe-reply.ts'
import { controls, fieldOf, handsOut, reuseByOthers, targetedControls } from './lib/model-shared-cache.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-12',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.2', '2.1.4'],
  basis: 'One JWT is never used for two people, also not by a cache between app and backend (2.1.4).',
  title: 'serves the configured method without cross-user caching',
  why: "A proxy or CDN that may store the response gives the first user's token to later users.",
  how: {
    does: [
      'Two users request tokens with the configured method, which must work; whether the other of GET and POST works is recorded.',
      'Each response to a GET is evaluated by a model of a shared cache (RFC 9111).',
    ],
    fails: [
      'A response that the cache may reuse for the other user, directly or after revalidation with its ETag or Last-Modified (which the suite sends).',
    ],
    warns: [
      'A token without Cache-Control: no-store.',
      'A response to POST with a CDN-Cache-Control or Surrogate-Control that lets content networks keep it.',
    ],
  },
  mints: 4,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const { backend, bob } = parts
    const { alice } = backend
    const send = async (method: 'GET' | 'POST') => {
      const isConfigured = method === backend.method
      const ask = (session: UserSession, headers: Headers = []) =>
        backend[isConfigured ? 'requestServed' : 'request']({
          session,
          method,
          headers,
          followRedirects: isConfigured,
        })
      const [forAlice, forBob] = [await ask(alice), await ask(bob)]
      const replies: Reply[] = [forAlice, forBob]
      const missing = isConfigured ? replies.find((reply) => backend.tokenOf(reply) === null) : undefined
      if (missing !== undefined && !backend.hasServed(alice)) assertTokenField(missing)
      if (!isConfigured) judge.observe('backend.otherMethod', `${method}: ${describeOutcome(forAlice)}`)
      const token = backend.tokenOf(forAlice)
      const stored = [forAlice, forBob].filter(
        (reply) => reply.kind === 'answer' && backend.tokenOf(reply) !== null,
      ) as Answer[]
      const cacheControls = stored.map((answer) => fieldOf(answer, 'cache-control') ?? '')
      for (const text of cacheControls) judge.observe('backend.cacheControl', text)
      const fields = method === 'GET' ? controls : targetedControls
      const reuse = stored.map((answer) => handsOut(answer, fields)).find((because) => because !== null)
      /** Another user got 304 for the validators of a response. */
      let isValidated = false
      for (const answer of method === 'GET' ? stored : [])
        for (const control of controls) {
          const reuse = reuseByOthers(answer, control)
          if (reuse.kind !== 'validates') continue
          const validated = await ask(answer === forAlice ? bob : alice, reuse.validators)
          replies.push(validated)
          isValidated ||= validated.kind === 'answer' && validated.status === 304
        }
      return {
        missing,
        isSame: token !== null && token === backend.tokenOf(forBob),
        cacheControls,
        reuse,
        isValidated,
        isUndecided: replies.some(isSilent),
        evidence: replies.map(({ exchange }) => exchange),
      }
    }
    await withShortLivedTokens(parts, async () => {
      const methods = backend.method === 'GET' ? (['GET', 'POST'] as const) : (['POST', 'GET'] as const)
      const tried = await inBatches(methods, 1, async (name) => ({ one: { name }, seen: await send(name) }))
      judgeCases(judge, 'when it is asked by', tried, [
        {
          level: 'must',
          saw: ({ missing }) => (missing === undefined ? null : `${showReply(missing)} and no token`),
          expected: 'a token for a valid session by the configured method (4.2)',
          fix: 'Serve the token route by this method, or correct backend.method.',
        },
        {
          level: 'must',
          saw: ({ isSame }) => (isSame ? 'the same token for two users' : null),
          expected: 'a separate token for each user (2.1.4)',
          fix: 'Answer with Cache-Control: no-store, and key a cache of your own by the session.',
        },
        {
          level: 'advisory',
          saw({ cacheControls }) {
            const open = cacheControls.find((text) => !/\bno-store\b/i.test(text))
            if (open === undefined) return null
            return `a token in a response ${open === '' ? 'without Cache-Control' : `with Cache-Control: ${open}`}`
          },
          expected: 'Cache-Control: no-store',
          fix: 'Answer with Cache-Control: no-store.',
        },
        // A cached response to a POST is not reused for another POST (RFC 9110, section 9.3.3), although a field may allow it.
        {
          level: 'must',
          saw: ({ reuse }, { name }) =>
            name === 'GET' && reuse !== undefined
              ? `a token in a response that a shared cache may reuse for another user (${reuse})`
              : null,
          expected: 'a token for one user only (2.1.4)',
          fix: 'Answer with Cache-Control: no-store.',
        },
        {
          level: 'advisory',
          saw: ({ reuse }, { name }) =>
            name === 'POST' && reuse !== undefined
              ? `a token in a response that content networks are told to keep (${reuse})`
              : null,
          expected: 'no-store in such a field, or no such field',
          fix: 'Leave fields such as CDN-Cache-Control and Surrogate-Control out of responses with a token.',
        },
        {
          level: 'must',
          saw: ({ isValidated }) =>
            isValidated ? "status 304 for another user who revalidates the first user's response" : null,
          expected: "a response with the other user's token (2.1.4)",
          fix: 'Answer with Cache-Control: no-store and without validators.',
        },
      ])
    })

    function describeOutcome(reply: Reply): string {
      if (reply.kind === 'no-answer') return reply.message
      const allow = headerOf(reply.headers, 'allow')
      return `${reply.status}${backend.tokenOf(reply) === null ? '' : ' with a token'}${allow === undefined ? '' : `, allow: ${allow}`}`
    }
  },
})
