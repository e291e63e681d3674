import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendAnswer, Dial } from '../../src/roles/client/double-types.ts'
import type { Client, SignedIn } from '../../src/roles/client/types.ts'

/**
 * When the answer that was meant for the first user arrives: before the second connects, while the second waits for an
 * answer, or after it; or whether the first had been connected for good.
 */
const courses = ['connected before', 'before', 'between', 'after'] as const
type Course = (typeof courses)[number]

export default defineCheck({
  id: 'CLI-11',
  role: 'client',
  level: 'MUST',
  clauses: ['2.1.4'],
  title: 'never gives the next user the token of the last one',
  why: 'Whoever uses the device next would answer the calls of whoever used it before.',
  how:
    'One user asks for a token, and signs out before the answer has come; another signs in and connects. The late ' +
    'answer is released before the second connects, while the second waits, and after that; in a further course the ' +
    'first had been connected. No handshake after the second has signed in may carry a token of the first.',
  needs: ['client', 'clientBob', 'signalingDouble'],
  async run({ client }, judge) {
    for (const { course, first, foreign } of await Promise.all(
      courses.map((course) => follow(client, course)),
    )) {
      const evidence = foreign.map(({ exchange }) => exchange)
      const isOwnName = foreign.length > 0 && foreign.every((dial) => dial.declaredUser === first.userId)
      judge.must(foreign.length === 0 || isOwnName, {
        saw: `a handshake with the token of the user who has signed out (whose answer came ${courseText[course]})`,
        expected: 'only tokens of the user who is signed in',
        evidence,
      })
      judge.advisory(!isOwnName, {
        saw: 'a handshake of the user who has signed out, in that name, after another has signed in',
        expected: 'whatever a user has begun to end with the session',
        evidence,
      })
    }
  },
  catches: {
    'shares a fetch in flight': { client: { variant: 'a fetch in flight shared by users' } },
    'keeps tokens across users': { client: { variant: 'tokens kept in storage across users' } },
    'takes whichever token comes first': { client: { variant: 'whichever token comes first' } },
  },
})

const courseText: Readonly<Record<Course, string>> = {
  'connected before': 'before the sign-out',
  before: 'before the next user connected',
  between: 'while the next user waited',
  after: 'after the next user had an answer',
}
/** A client that shares a fetch asks for nothing on behalf of the second user: it is waited for so long. */
const secondCallSeconds = 2
const aftermathSeconds = 1

interface Followed {
  readonly course: Course
  readonly first: SignedIn
  /** Handshakes with a token of the first user after the second has signed in. */
  readonly foreign: readonly Dial[]
}

async function follow(client: Client, course: Course): Promise<Followed> {
  await using app = await client.open()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: secondHeld, resolve: releaseSecond } = Promise.withResolvers<void>()
  if (course === 'after' || course === 'connected before') releaseSecond()
  // Told before anybody signs in: some apps connect by themselves.
  app.backend.answer(async (_, ordinary): Promise<BackendAnswer> => {
    if (course !== 'connected before') await released
    return await ordinary()
  })
  const first = await app.signIn('alice')
  await app.connect()
  await app.backendAsked()
  if (course === 'connected before')
    await app.wait(() => app.signaling.dials().at(-1)?.outcome === 'accepted')
  await app.signOut()
  const callsBefore = app.backend.calls().length
  const dialsBefore = app.signaling.dials().length
  app.backend.answer(async (_, ordinary) => {
    await secondHeld
    return await ordinary()
  })
  await app.signIn('bob')
  if (course === 'before') {
    release()
    await app.quiet()
  }
  await app.connect()
  await app.wait(() => app.backend.calls().length > callsBefore, secondCallSeconds)
  if (course === 'between') {
    release()
    await app.wait(() => app.signaling.dials().length > dialsBefore, aftermathSeconds)
  }
  releaseSecond()
  await app.wait(
    () =>
      app.signaling
        .dials()
        .slice(dialsBefore)
        .some(({ outcome }) => outcome !== null),
    secondCallSeconds,
  )
  release()
  await app.wait(() => false, aftermathSeconds)
  const own = new Set(
    app
      .issued()
      .filter(({ userId }) => userId === first.userId)
      .map(({ jwt }) => jwt),
  )
  const foreign = app.signaling
    .dials()
    .slice(dialsBefore)
    .filter(({ credential }) => own.has(credential ?? ''))
  if (foreign.length === 0) await app.dialled(dialsBefore)
  return { course, first, foreign }
}
