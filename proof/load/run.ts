import { SignJWT } from 'jose'
import { startReference } from '../../fixtures/stack.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { cacheTokens } from '../../suites/mint/lib/variant-answers.ts'

// `npm run proof -- load`: the processor of `examples/load` accepts the reference under load, and finds a cache that mixes up
// users and a backend that serves a guest.

const processor = new URL('../../examples/load/processor.mjs', import.meta.url).href
const { getToken, tryInvalidSession } = await import(processor)
const secret = new Uint8Array(32).fill(7)
const guest = { id: 'guest', userId: 'guest', expiresAt: Number.POSITIVE_INFINITY }
const users = Array.from({ length: 50 }, (_, place) => `load-user-${place}`)

/** Counters of the processor after all users came at once. */
async function countUnderLoad({ backend, ...others }: Variant): Promise<Map<string, number>> {
  const variant = {
    ...others,
    backend: { sessionForm: 'signed', sessionSecret: secret, ...backend },
  } as const
  await using reference = await startReference({ withoutDouble: true, variant })
  const counts = new Map<string, number>()
  const events = {
    emit: (_: string, name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by),
  }
  const target = String(reference.configuration.backend?.url)
  const turns = users.map(async (userId) => {
    const claims = { iss: 'shop', sub: userId, sid: userId }
    const signing = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    const session = await signing.setExpirationTime('1h').sign(secret)
    await getToken({ vars: { target, session, userId, userClaim: 'sub' } }, events)
    await tryInvalidSession({ vars: { target } }, events)
  })
  await Promise.all(turns)
  return counts
}

const cases: readonly [title: string, variant: Variant, breaks: string | null][] = [
  ['the reference', {}, null],
  ['a mint whose cache has ten keys', { mint: cacheTokens(({ userId }) => userId.slice(-1)) }, 'wrong_user'],
  [
    'a backend that serves a guest without a session',
    { backend: { recall: async (_, __, usual) => (await usual()) ?? guest } },
    'invalid_session_served',
  ],
]
for (const [title, variant, breaks] of cases) {
  const counts = await countUnderLoad(variant)
  const found = ['wrong_user', 'invalid_session_served'].filter((name) => (counts.get(name) ?? 0) > 0)
  const isRight = (counts.get('tokens') ?? 0) > 0 && found.join() === (breaks ?? '')
  process.stdout.write(
    `${isRight ? 'ok' : 'WRONG'}: ${title}: ${JSON.stringify(Object.fromEntries(counts))}\n`,
  )
  if (!isRight) process.exitCode = 1
}
