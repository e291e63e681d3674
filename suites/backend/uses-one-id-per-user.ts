import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { learnTokenUser, type ReadTokenUser, tokensTellNoUser } from './lib/read-token-user.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-05',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'Each end user has one stable userId, and no two share one (2.1.4).',
  title: 'uses one stable and distinct userId per user',
  why: 'Peers dial the userId. If it changes between calls or devices, the user cannot be reached; if two users share it, one answers for the other.',
  how: {
    does: [
      'One user requests several tokens, also from a second device, and another user requests tokens as well.',
      "The suite's mint double records the userIds, also where the backend tries again after a first mint call that the double answered with 503.",
      'Without the mint double, the userIds in the claims of the tokens are compared.',
    ],
    fails: ['Two ids for one user, or one id for two users.'],
    untested: ['A second mint call behind a request that met no response.'],
  },
  mints: 10,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const mintDouble = parts.available('mintDouble')
    if (mintDouble !== undefined)
      return await mintDouble.scripted(async (double) => {
        await judgeIds(seeMintCalls(parts, double), parts, judge)
        await judgeSecondTry(parts, double, judge)
      })
    const readUser = await learnTokenUser(parts)
    if (readUser === null) return judge.untested(tokensTellNoUser)
    await judgeIds(seeTokens(parts, readUser), parts, judge)
  },
  catches: {
    'takes the session for the user': { backend: { userId: ({ id }) => id } },
    'takes the session for the user, and cannot be pointed at the mint double': {
      backend: { userId: ({ id }) => id },
      withoutDouble: true,
    },
    'makes an id up each time': { backend: { userId: () => crypto.randomUUID() } },
    'adds the device to the id': { backend: { userId: ({ userId, id }) => `${userId}/${id.slice(0, 8)}` } },
    'adds the time to the id': { backend: { userId: ({ userId }) => `${userId}@${performance.now()}` } },
    'takes the session token for the user': {
      backend: { userId: (_, { headers }) => headers.authorization?.slice(-16) ?? '' },
    },
    'mints for everyone under one id': { backend: { userId: () => 'app' } },
    'adds the device to the id, and cannot be pointed at the mint double': {
      backend: { userId: ({ userId, id }) => `${userId}/${id.slice(0, 8)}` },
      withoutDouble: true,
    },
    'makes an id up each time, and cannot be pointed at the mint double': {
      backend: { userId: () => crypto.randomUUID() },
      withoutDouble: true,
    },
    'mints for everyone under one id, and cannot be pointed at the mint double': {
      backend: { userId: () => 'app' },
      withoutDouble: true,
    },
    'cuts the id to its first two characters': { backend: { userId: ({ userId }) => userId.slice(0, 2) } },
    'tries again for the user who came before': {
      backend: (() => {
        let last = ''
        return {
          async tokenFor(userId, { mint }) {
            const before = last
            last = userId
            return await mint(userId).catch(() => mint(before))
          },
        }
      })(),
    },
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

type Parts = CheckContext<'backend' | 'bob'>

/** For whom the backend mints, as far as it can be seen. */
interface Sight {
  /** Completes "userIds in …". */
  readonly place: string
  /** Asks for a token; the id is null where a cache answered. */
  ask(session: UserSession): Promise<{ readonly id: string | null; readonly exchange: string }>
}

function seeMintCalls(parts: Parts, double: ScriptedMint): Sight {
  const { backend } = parts
  double.lifetime(shortLifetime)
  return {
    place: 'the mint calls',
    async ask(session) {
      let { jwt, exchange } = await backend.token(session)
      if (findMintedUser(double, jwt) === null) {
        const { reply } = await askPastCache(parts, double, { session })
        jwt = backend.tokenOf(reply) ?? jwt
        exchange = reply.exchange
      }
      return { id: findMintedUser(double, jwt), exchange }
    },
  }
}

function seeTokens({ backend }: Parts, readUser: ReadTokenUser): Sight {
  /** By the session: a cache may share a token between the devices of a user, and shows nothing on one. */
  const known = new Map<UserSession, Set<string>>()
  return {
    place: 'the tokens',
    async ask(session) {
      const { jwt, exchange } = await backend.token(session)
      const own = known.get(session) ?? new Set()
      const isRepeated = own.has(jwt)
      known.set(session, own.add(jwt))
      return { id: isRepeated ? null : readUser(jwt), exchange }
    },
  }
}

/** Where the first mint call fails, a second one may be made of what another request has left. */
async function judgeSecondTry(parts: Parts, double: ScriptedMint, judge: Judge): Promise<void> {
  const { backend, bob } = parts
  const askAgain = async (session: UserSession) => {
    let isFirst = true
    double.answer((_, ordinary) => {
      const reaction = isFirst ? { status: 503, body: '{"error":"overloaded"}' } : ordinary()
      isFirst = false
      return reaction
    })
    const { reply } = await askPastCache(parts, double, { session })
    double.answer(null)
    const token = backend.tokenOf(reply)
    return { id: token === null ? null : findMintedUser(double, token), reply }
  }
  for (const [session, other] of [
    [backend.alice, bob],
    [bob, backend.alice],
  ] as const) {
    const usual = findMintedUser(double, (await backend.token(session)).jwt)
    // Data left in the backend is now the other user's.
    await backend.token(other)
    const { id, reply } = await askAgain(session)
    if (leaveUndecided(judge, reply, 'where the first mint call failed')) continue
    judge.must(usual === null || id === null || id === usual, {
      saw: 'a token for another userId where the backend called the mint again after a failure',
      expected: 'one stable userId (2.1.4)',
      fix: 'Build each mint call, a repeated one too, from the session of its own request.',
      evidence: [reply.exchange],
    })
  }
}

interface SeenIds {
  readonly ids: ReadonlySet<string>
  readonly evidence: readonly string[]
}

async function judgeIds(sight: Sight, { backend, bob, optional }: Parts, judge: Judge): Promise<void> {
  const secondDevice = optional('aliceSecondDevice')
  const idsOf = async (name: string, sessions: readonly UserSession[]): Promise<SeenIds> => {
    const ids = new Set<string>()
    const evidence: string[] = []
    for (const session of sessions) {
      const { id, exchange } = await sight.ask(session)
      if (id === null)
        judge.untested(`the backend answered ${name} from a cache, so its mint call could not be inspected`)
      else ids.add(id)
      evidence.push(exchange)
    }
    return { ids, evidence }
  }
  const judgeOne = (who: string, { ids, evidence }: SeenIds) => {
    if (ids.size === 0) return
    judge.must(ids.size === 1, {
      case: who,
      saw: `${ids.size} userIds in ${sight.place} for ${who}`,
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
    judgeOne('one user on two devices', {
      ids: new Set([...ofAlice.ids, ...ofDevice.ids]),
      evidence: [...ofAlice.evidence, ...ofDevice.evidence],
    })
  }
  if (ofAlice.ids.size === 0 || ofBob.ids.size === 0) return
  judge.must(![...ofAlice.ids].some((id) => ofBob.ids.has(id)), {
    saw: `the same userId in ${sight.place} for two users`,
    expected: 'a distinct userId per user (2.1.4)',
    fix: "Mint for the id of the session's own user.",
    evidence: [...ofAlice.evidence, ...ofBob.evidence],
  })
}
