import type { Answer, Reply } from '../../src/base/http/client.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import { isOverload } from './lib/describe-reply.ts'
import { controls, reuseByOthers } from './lib/model-shared-cache.ts'
import { mustGetToken } from './lib/offer-request.ts'
import { type Spelling, spellings } from './lib/path-spellings.ts'
import { cacheByName, guardOnly, serveSpellings } from './lib/variant-spellings.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

/** A spelling whose requests met no response, a gateway error or an overload. */
interface Undecided {
  readonly name: string
  readonly exchanges: readonly string[]
}

export default defineCheck({
  id: 'BACK-26',
  role: 'backend',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.2.1', '2.1.4'],
  basis:
    'The backend validates the sessionToken before it returns a token (4.2.1), and one JWT is never used for two people (2.1.4).',
  standards: ['OWASP ASVS 5.0, 14.2.5', 'OWASP ASVS 5.0, 14.3.2'],
  title: 'guards its path in every spelling, and from caches',
  why: 'A router that drops an ending leads past a check of the session that does not. A cache that goes by the ending stores the token as a style sheet, for everyone.',
  how: {
    does: [
      'Between two controls, spells the path of the token route in 16 ways that routers, gateways and caches read differently: .css, .js and .json behind it or below it, ;a=1, /..;/, an encoded slash, question mark, hash, blank, line feed, backslash, zero byte or letter, and a dot at its end.',
      'Sends each without a session by the configured method. Then sends each by GET with the session of alice, with that of bob, and without one, in this order.',
      'A path that is not served is right, and so is one that is served to valid sessions with Cache-Control: no-store.',
    ],
    fails: [
      'A token without a session.',
      'The token of alice for bob.',
      'A token that a shared cache may reuse for another user, by its headers (RFC 9111).',
    ],
    warns: ['A token at one of these paths without Cache-Control: no-store.'],
    untested: [
      'A route that serves requests without a session, as BACK-02 shows.',
      'A path that was answered with a rate limit or a gateway error, or not at all.',
    ],
  },
  mints: 2,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const { backend, bob, random } = parts
    const mark = `tt${Math.floor(random() * 36 ** 8).toString(36)}`
    await withShortLivedTokens(parts, () =>
      judge.sandwich(
        () => mustGetToken(backend, { session: backend.alice }, "alice's session"),
        async () => {
          const plain = await backend.request({ session: null })
          if (backend.issuedBy(plain) !== null) {
            judge.untested('the route itself serves requests without a session (BACK-02)')
            return
          }
          const outcomes = await Promise.all(spellings.map((spelling) => trySpelling(spelling)))
          const undecided = outcomes.flatMap((one) => one ?? [])
          if (undecided.length > 0)
            judge.undecided(
              `a rate limit, a gateway error or no response for ${undecided.length} of ${outcomes.length} paths: ${undecided[0]?.name}`,
              undecided.flatMap(({ exchanges }) => exchanges),
            )
        },
      ),
    )

    /** Resolves with a spelling that was not decided, else with null. */
    async function trySpelling({ name, spell }: Spelling): Promise<Undecided | null> {
      const ask = (change: BackendRequest, at: string) =>
        backend.request({ ...change, path: (usual) => spell(usual, mark + at), case: `the path ${name}` })
      const unguarded = await ask({ session: null }, 'a')
      judgeWithoutSession(name, unguarded)
      // Caches store what is asked for by GET.
      const forAlice = await ask({ session: backend.alice, method: 'GET' }, 'b')
      const tokenOfAlice = backend.tokenOf(forAlice)
      if (tokenOfAlice === null || forAlice.kind === 'no-answer')
        return isOverload(unguarded) || isOverload(forAlice)
          ? { name, exchanges: [unguarded.exchange, forAlice.exchange] }
          : null
      backend.learn(tokenOfAlice)
      judgeStorage(name, forAlice)
      const forBob = await ask({ session: bob, method: 'GET' }, 'b')
      judge.must(backend.tokenOf(forBob) !== tokenOfAlice, {
        case: name,
        saw: `the token of the first user for another user, by GET at the path ${name}`,
        expected: "a token of the other user's own, or none (2.1.4)",
        fix: 'Have caches store nothing of this route, whatever its path ends in, and answer 404 to other spellings.',
        evidence: [forAlice.exchange, forBob.exchange],
      })
      const forNobody = await ask({ session: null, method: 'GET' }, 'b')
      judgeWithoutSession(name, forNobody)
      const open = [unguarded, forBob, forNobody].filter(isOverload)
      return open.length === 0 ? null : { name, exchanges: open.map(({ exchange }) => exchange) }
    }

    function judgeWithoutSession(name: string, reply: Reply): void {
      judge.must(backend.issuedBy(reply) === null, {
        case: name,
        saw: `a calling token for a request without a session at the path ${name}`,
        expected: 'no token (4.2.1)',
        fix: 'Validate the session in the handler of the route, not by a list of paths in front of it, and answer 404 to other spellings.',
        evidence: [reply.exchange],
      })
    }

    function judgeStorage(name: string, answer: Answer): void {
      const reuse = controls
        .map((control) => reuseByOthers(answer, control))
        .find(({ kind }) => kind === 'hands-out')
      judge.must(reuse === undefined, {
        case: name,
        saw: `a token at the path ${name} that a shared cache may reuse for another user (${reuse?.kind === 'hands-out' ? reuse.because : ''})`,
        expected: 'a token for one user only (2.1.4)',
        fix: 'Answer with Cache-Control: no-store, and 404 to other spellings of the path.',
        evidence: [answer.exchange],
      })
      const cacheControl = headerOf(answer.headers, 'cache-control') ?? ''
      judge.advisory(reuse !== undefined || cacheControl.toLowerCase().includes('no-store'), {
        case: name,
        saw: `a token at the path ${name} without Cache-Control: no-store`,
        expected: 'Cache-Control: no-store, or 404',
        fix: 'Answer with Cache-Control: no-store, and 404 to other spellings of the path.',
        evidence: [answer.exchange],
      })
    }
  },
  catches: {
    'checks no session below the route': {
      backend: guardOnly((path) => !path.startsWith('/calling/token/')),
    },
    'takes paths with a dot for static files': { backend: guardOnly((path) => !path.includes('.')) },
    'takes .json for another route than the guarded one': {
      backend: guardOnly((path) => !path.endsWith('.json')),
    },
    'drops parameters of the path behind the check of the session': {
      backend: guardOnly((path) => !path.includes(';')),
    },
    'decodes the path behind the check of the session': {
      backend: guardOnly((path) => !path.includes('%')),
    },
    'follows /..;/ behind the check of the session': {
      backend: guardOnly((path) => !path.includes('/..;/')),
    },
    'drops a dot at the end behind the check of the session': {
      backend: guardOnly((path) => !path.endsWith('.')),
    },
    'cuts the path at a zero byte behind the check of the session': {
      backend: guardOnly((path) => !path.includes('%00')),
    },
    'serves a guest by GET only, below the route': {
      backend: guardOnly((path, method) => method !== 'GET' || !path.startsWith('/calling/token/')),
    },
    'caches what looks like a style sheet, for everyone': {
      backend: cacheByName((path) => path.endsWith('.css')),
    },
    'caches what has an ending, for those who are signed in': {
      backend: cacheByName((path, { authorization }) => path.includes('.') && authorization !== undefined),
    },
    'lets caches keep what looks like a file': {
      backend: serveSpellings((path) => (path.includes('.') ? 'public, max-age=3600' : 'no-store')),
    },
    'says nothing about caches below the route': {
      backend: serveSpellings((path) => (path.includes('/token/') ? null : 'no-store')),
      as: 'warn',
    },
  },
})
