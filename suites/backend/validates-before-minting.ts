import { defineCheck } from '../../src/requirement/define.ts'
import { findMintedUser } from './find-minted-user.ts'
import { createInvalidSessions } from './invalid-sessions.ts'
import { shortLifetime } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-03',
  role: 'backend',
  level: 'MUST',
  clauses: ['4.2'],
  title: 'does not call the mint for a request without a session that holds',
  why: 'Whoever can make the backend mint without being logged in can use up its plan, whatever the backend answers in the end.',
  how: "While the suite's mint double records, the route is called without a session, with made-up, changed, expired and signed-out sessions, and with other secrets in their place. Then a logged-in user asks, so that anything set off before has arrived by then. Any mint call that is not the logged-in user's is a failure.",
  mints: 2,
  needs: ['backend', 'mintDouble'],
  phase: 'exclusive',
  async run({ backend, mintDouble, configuration, available, optional }, judge) {
    const expired = optional('expiredSession')
    const signedOut = available('signedOutSession')
    await mintDouble.alone(async (double) => {
      double.lifetime(shortLifetime)
      const { alice } = backend
      const { jwt: callingJwt } = await backend.token(alice)
      const bad = createInvalidSessions(configuration, { session: alice, callingJwt, expired, signedOut })
      const before = double.calls().length
      await Promise.all(bad.map(({ request }) => backend.request({ ...request, followRedirects: true })))
      const barrier = double.calls().length
      // A user of whom the backend may have kept nothing yet: the barrier has to be seen at the double.
      const last = available('bob') ?? alice
      const { jwt } = await backend.token(last)
      const others = double
        .calls()
        .filter(({ userId }, at) => at >= before && (at < barrier || userId !== last.userId))
      judge.must(others.length === 0, {
        saw: `${others.length} mint calls after requests without a session that holds`,
        expected: 'none: the session is validated first',
        evidence: others.map(({ exchange }) => exchange),
      })
      if (findMintedUser(double, jwt) === null)
        judge.untested(
          'the backend answered from a cache, so nothing shows that its calls arrive at the double',
        )
    })
  },
  catches: {
    'mints before it looks at the session': {
      backend: {
        callingToken: async (_, { mint, authenticate, userId }) => {
          await mint('somebody')
          return mint(userId(await authenticate()))
        },
      },
    },
    'mints and validates at the same time': {
      backend: {
        callingToken: async (_, { mint, authenticate, userId }) => {
          const [session] = await Promise.all([authenticate(), mint('somebody')])
          return mint(userId(session))
        },
      },
    },
    'mints for a guest, behind its refusal': {
      backend: {
        callingToken: async (_, { mint, authenticate, userId }) => {
          const session = await authenticate().catch((refused) => {
            mint('guest').catch(() => undefined)
            throw refused
          })
          return mint(userId(session))
        },
      },
    },
    'validates one method only': {
      backend: {
        callingToken: async ({ method }, { mint, authenticate, userId }) => {
          if (method === 'GET') await mint('somebody')
          return mint(userId(await authenticate()))
        },
      },
    },
    'looks at the expiry after it has minted': {
      backend: {
        callingToken: async ({ headers }, { mint, authenticate, records, userId }) => {
          const session = records.byToken.get(headers.authorization?.slice(7) ?? '')
          const minted = session === undefined ? null : await mint(session.userId)
          const live = await authenticate()
          return minted ?? mint(userId(live))
        },
      },
    },
    'warms up when there is no session at all': {
      backend: {
        callingToken: async ({ headers }, { mint, authenticate, userId }) => {
          if (headers.authorization === undefined) await mint('health')
          return mint(userId(await authenticate()))
        },
      },
    },
  },
})
