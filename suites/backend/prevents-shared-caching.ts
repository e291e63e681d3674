import type { Answer, Reply } from '../../src/base/http/client.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import { assertTokenField } from '../../src/roles/backend/driver.ts'
import { showReply } from './lib/describe-reply.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { controls, reuseByOthers, targetedControls } from './lib/model-shared-cache.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

type Method = 'GET' | 'POST'

export default defineCheck({
  id: 'BACK-12',
  role: 'backend',
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
    untested: ['A request that met no response.'],
  },
  mints: 4,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const { backend, bob } = parts
    const otherMethod: Method = backend.method === 'GET' ? 'POST' : 'GET'
    await withShortLivedTokens(parts, async () => {
      await judgeMethod(backend.method, true)
      await judgeMethod(otherMethod, false)
    })

    async function judgeMethod(method: Method, isConfigured: boolean): Promise<void> {
      const ask = (session: UserSession, headers: readonly (readonly [string, string])[] = []) =>
        backend[isConfigured ? 'requestServed' : 'request']({
          session,
          method,
          headers,
          followRedirects: isConfigured,
        })
      const forAlice = await ask(backend.alice)
      const forBob = await ask(bob)
      if (isConfigured)
        for (const reply of [forAlice, forBob]) {
          if (backend.tokenOf(reply) === null && !backend.hasServed(backend.alice)) assertTokenField(reply)
          judge.must(backend.tokenOf(reply) !== null, {
            saw: `${showReply(reply)} and no token for ${method}, the configured method`,
            expected: 'a token for a valid session (4.2)',
            fix: 'Serve the token route by this method, or correct backend.method.',
            evidence: [reply.exchange],
          })
        }
      else judge.observe('backend.otherMethod', `${method}: ${outcomeOf(forAlice)}`)
      if (!isConfigured)
        for (const reply of [forAlice, forBob]) leaveUndecided(judge, reply, `for a request by ${method}`)
      judgeApart(forAlice, forBob)
      for (const [reply, session] of [
        [forAlice, bob],
        [forBob, backend.alice],
      ] as const) {
        if (reply.kind === 'no-answer' || backend.tokenOf(reply) === null) continue
        judgeStorage(reply)
        // A cached response to a POST is not reused for another POST (RFC 9110, section 9.3.3).
        if (method === 'GET') await judgeReuse(reply, (validators) => ask(session, validators))
        else judgeTargeted(reply)
      }
    }

    function judgeApart(one: Reply, other: Reply): void {
      const token = backend.tokenOf(one)
      judge.must(token === null || token !== backend.tokenOf(other), {
        saw: 'the same token for two users',
        expected: 'a separate token for each user (2.1.4)',
        fix: 'Answer with Cache-Control: no-store, and key a cache of your own by the session.',
        evidence: [one.exchange, other.exchange],
      })
    }

    function judgeStorage({ headers, exchange }: Answer): void {
      const cacheControl = headers.filter(([name]) => name === 'cache-control').map(([, value]) => value)
      judge.observe('backend.cacheControl', cacheControl.join(', '))
      judge.advisory(/\bno-store\b/i.test(cacheControl.join()), {
        saw:
          cacheControl.length === 0
            ? 'a token in a response without Cache-Control'
            : `a token in a response with Cache-Control: ${cacheControl.join(', ')}`,
        expected: 'Cache-Control: no-store',
        fix: 'Answer with Cache-Control: no-store.',
        evidence: [exchange],
      })
    }

    /** For a POST: caches do not reuse it, although the field allows them to. */
    function judgeTargeted(answer: Answer): void {
      for (const control of targetedControls) {
        const reuse = reuseByOthers(answer, control)
        judge.advisory(reuse.kind === 'none', {
          case: control,
          saw: `a token in a response that content networks are told to keep (${reuse.kind === 'hands-out' ? reuse.because : control})`,
          expected: `${control}: no-store, or no such field`,
          fix: `Leave ${control} out of responses with a token.`,
          evidence: [answer.exchange],
        })
      }
    }

    async function judgeReuse(
      answer: Answer,
      askAsTheOther: (validators: readonly (readonly [string, string])[]) => Promise<Reply>,
    ): Promise<void> {
      for (const control of controls) {
        const reuse = reuseByOthers(answer, control)
        judge.must(reuse.kind !== 'hands-out', {
          case: control,
          saw: `a token in a response that a shared cache may reuse for another user (${reuse.kind === 'hands-out' ? reuse.because : ''})`,
          expected: 'a token for one user only (2.1.4)',
          fix: 'Answer with Cache-Control: no-store.',
          evidence: [answer.exchange],
        })
        if (reuse.kind !== 'validates') continue
        const validated = await askAsTheOther(reuse.validators)
        if (leaveUndecided(judge, validated, "for another user who revalidates the first user's response"))
          continue
        judge.must(validated.kind === 'no-answer' || validated.status !== 304, {
          case: control,
          saw: "status 304 for another user who revalidates the first user's response",
          expected: "a response with the other user's token (2.1.4)",
          fix: 'Answer with Cache-Control: no-store and without validators.',
          evidence: [answer.exchange, validated.exchange],
        })
      }
    }

    function outcomeOf(reply: Reply): string {
      if (reply.kind === 'no-answer') return reply.message
      const allow = headerOf(reply.headers, 'allow')
      return `${reply.status}${backend.tokenOf(reply) === null ? '' : ' with a token'}${allow === undefined ? '' : `, allow: ${allow}`}`
    }
  },
})
