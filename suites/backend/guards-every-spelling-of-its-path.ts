import { headerOf } from '../../src/base/http/headers.ts'
import { attack, type Case } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import { isOverload } from './lib/describe-reply.ts'
import { controls, handsOut } from './lib/model-shared-cache.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-26',
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
    untested: ['A route that serves requests without a session, as BACK-02 shows.'],
  },
  mints: 3,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const { backend, bob, random } = parts
    const mark = `tt${Math.floor(random() * 36 ** 8).toString(36)}`
    await withShortLivedTokens(parts, async () => {
      await backend.token()
      if (backend.issuedBy(await backend.request({ session: null })) !== null)
        return judge.untested('the route itself serves requests without a session (BACK-02)')
      await attack(judge, {
        control: () => backend.token(),
        cases: createSpellings(mark),
        of: 'at the path',
        async send({ name, spell }) {
          const ask = (change: BackendRequest, at: string) =>
            backend.request({ ...change, path: (usual) => spell(usual, at), case: `the path ${name}` })
          const unguarded = await ask({ session: null }, 'a')
          // Caches store what is asked for by GET.
          const forAlice = await ask({ session: backend.alice, method: 'GET' }, 'b')
          const stored = forAlice.kind === 'answer' ? forAlice : null
          const token = backend.tokenOf(forAlice)
          const others =
            token === null
              ? []
              : [
                  await ask({ session: bob, method: 'GET' }, 'b'),
                  await ask({ session: null, method: 'GET' }, 'b'),
                ]
          const [forBob, unauthenticated] = others
          const replies = [unguarded, forAlice, ...others]
          const seen = {
            withoutSession: [unguarded, unauthenticated].some(
              (reply) => reply !== undefined && backend.issuedBy(reply) !== null,
            ),
            isShared: token !== null && forBob !== undefined && backend.tokenOf(forBob) === token,
            reuse: token === null || stored === null ? null : handsOut(stored, controls),
            /** Absent without a token. */
            cacheControl:
              token === null || stored === null
                ? undefined
                : (headerOf(stored.headers, 'cache-control') ?? ''),
            evidence: replies.map(({ exchange }) => exchange),
          }
          // A violation counts, whatever the other requests met.
          const isBreach = seen.withoutSession || seen.isShared || seen.reuse !== null
          return { ...seen, isUndecided: !isBreach && replies.some(isOverload) }
        },
        breaches: [
          {
            level: 'must',
            saw: ({ withoutSession }) =>
              withoutSession ? 'a calling token for a request without a session' : null,
            expected: 'no token (4.2.1)',
            fix: 'Validate the session in the handler of the route, not by a list of paths in front of it, and answer 404 to other spellings.',
          },
          {
            level: 'must',
            saw: ({ isShared }) => (isShared ? 'the token of the first user for another user, by GET' : null),
            expected: 'a different token for the other user, or none (2.1.4)',
            fix: 'Have caches store nothing of this route, whatever its path ends in, and answer 404 to other spellings.',
          },
          {
            level: 'must',
            saw: ({ reuse }) => reuse && `a token that a shared cache may reuse for another user (${reuse})`,
            expected: 'a token for one user only (2.1.4)',
            fix: 'Answer with Cache-Control: no-store, and 404 to other spellings of the path.',
          },
          {
            level: 'advisory',
            saw: ({ reuse, cacheControl }) =>
              reuse !== null || cacheControl === undefined || /no-store/i.test(cacheControl)
                ? null
                : 'a token without Cache-Control: no-store',
            expected: 'Cache-Control: no-store, or 404',
            fix: 'Answer with Cache-Control: no-store, and 404 to other spellings of the path.',
          },
        ],
      })
    })
  },
})

/** Endings that routers and gateways drop, and those by which caches know files; * is a new name for each run, unknown to caches. */
const endings: Readonly<Record<string, string>> = {
  'with the name of a style sheet below it': '/*.css',
  'with the name of a script below it': '/*.js',
  'with .json at its end': '.json',
  'with .css at its end': '.css',
  'with ;a=1 at its end': ';a=1',
  'with ; and the name of a style sheet at its end': ';*.css',
  'with the name of a style sheet behind an encoded slash': '%2f*.css',
  'with the name of a style sheet behind an encoded question mark': '%3f*.css',
  'with the name of a style sheet behind an encoded hash': '%23*.css',
  'with the name of a style sheet behind an encoded line feed': '%0a*.css',
  'with the name of a style sheet behind an encoded zero byte': '%00*.css',
  'with a dot at its end': '.',
  'with an encoded blank at its end': '%20',
  'with an encoded backslash at its end': '%5c',
}

function createSpellings(mark: string): (Case & { spell(path: string, at: string): string })[] {
  return [
    ...Object.entries(endings).map(([name, ending]) => ({
      name,
      spell: (path: string, at: string) => path + ending.replace('*', mark + at),
    })),
    { name: 'with /..;/ in it', spell: (path, at) => path.replace(/(?=[^/]*$)/, `${mark}${at}/..;/`) },
    {
      name: 'with an encoded letter',
      spell: (path) =>
        path.endsWith('/')
          ? `${path};`
          : path.replace(/\/([^/])(?=[^/]*$)/, (_, one: string) => `/%${one.charCodeAt(0).toString(16)}`),
    },
  ]
}
