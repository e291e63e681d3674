import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import { askPastCache } from './ask-past-cache.ts'
import { findMintedUser } from './find-minted-user.ts'
import { shortLifetime } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-05',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  title: 'uses one stable and distinct userId per user',
  why: 'Peers dial the userId. If it changes between calls or devices, the user cannot be reached; if two users share it, one answers for the other.',
  how: "One user requests several tokens, also from a second device, and another user requests tokens as well. The suite's mint double records the userIds. Two ids for one user, or one id for two users, fail.",
  mints: 6,
  needs: ['backend', 'bob', 'mintDouble'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, bob, mintDouble, optional } = parts
    const secondDevice = optional('aliceSecondDevice')
    await mintDouble.runExclusive(async (double) => {
      double.lifetime(shortLifetime)
      const idsOf = async (name: string, sessions: readonly UserSession[]) => {
        const ids = new Set<string>()
        const evidence: string[] = []
        for (const session of sessions) {
          let { jwt, exchange } = await backend.token(session)
          if (findMintedUser(double, jwt) === null) {
            const { reply } = await askPastCache(parts, double, { session: session.token })
            jwt = backend.tokenOf(reply) ?? jwt
            exchange = reply.exchange
          }
          const id = findMintedUser(double, jwt)
          if (id === null)
            judge.untested(
              `the backend answered ${name} from a cache, so its mint call could not be inspected`,
            )
          else ids.add(id)
          evidence.push(exchange)
        }
        return { ids, evidence }
      }
      const judgeOne = (who: string, { ids, evidence }: Awaited<ReturnType<typeof idsOf>>) => {
        if (ids.size === 0) return
        judge.must(ids.size === 1, {
          saw: `${ids.size} userIds in the mint calls for ${who}`,
          expected: 'one stable userId (2.1.4)',
          fix: "Use the user's stable id, not the session or device.",
          evidence,
        })
      }
      const { alice } = backend
      const ofAlice = await idsOf('alice', [alice, alice, alice])
      judgeOne('one user on one device', ofAlice)
      const ofBob = await idsOf('bob', [bob, bob])
      judgeOne('one user on one device', ofBob)
      if (secondDevice !== undefined) {
        const ofDevice = await idsOf('alice on a second device', [secondDevice])
        const both = new Set([...ofAlice.ids, ...ofDevice.ids])
        judgeOne('one user on two devices', {
          ids: both,
          evidence: [...ofAlice.evidence, ...ofDevice.evidence],
        })
      }
      if (ofAlice.ids.size === 0 || ofBob.ids.size === 0) return
      judge.must(![...ofAlice.ids].some((id) => ofBob.ids.has(id)), {
        saw: 'the same userId in the mint calls for two users',
        expected: 'a distinct userId per user (2.1.4)',
        evidence: [...ofAlice.evidence, ...ofBob.evidence],
      })
    })
  },
  catches: {
    'takes the session for the user': { backend: { userId: ({ id }) => id } },
    'makes an id up each time': { backend: { userId: () => crypto.randomUUID() } },
    'adds the device to the id': { backend: { userId: ({ userId, id }) => `${userId}/${id.slice(0, 8)}` } },
    'adds the time to the id': { backend: { userId: ({ userId }) => `${userId}@${performance.now()}` } },
    'takes the session token for the user': {
      backend: { userId: (_, { headers }) => headers.authorization?.slice(-16) ?? '' },
    },
    'mints for everyone under one id': { backend: { userId: () => 'app' } },
    'cuts the id to its first two characters': { backend: { userId: ({ userId }) => userId.slice(0, 2) } },
    'numbers its callers': {
      backend: {
        callingToken: async (_, { authenticate, mint, kept }) => {
          const { userId } = await authenticate()
          const minted = mint(`${userId}-${kept.size % 2}`)
          kept.set(String(kept.size), minted)
          return minted
        },
      },
    },
  },
})
