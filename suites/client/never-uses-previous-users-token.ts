import type { Clock } from '../../src/base/clock.ts'
import { Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendCall, Client, ConnectionAttempt } from '../../src/roles/client/types.ts'
import { isOpen } from './lib/open-asked.ts'

/** When the first user's response arrives, completing "received …". */
const courses = {
  'connected before': 'before the sign-out',
  before: 'before the next user connected',
  between: 'while the next user waited',
  after: 'after the next user had a response',
} as const
type Course = keyof typeof courses

export default defineCheck({
  id: 'CLI-11',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'One JWT is never used for two people (2.1.4).',
  title: "never uses the previous user's token",
  why: "On a shared device, the next user would answer the previous user's calls.",
  how: {
    does: [
      'One user requests a token and signs out before the response; another user signs in and connects.',
      'The late response arrives before the second user connects, while the second user waits, or later; in a fourth case the first user had been connected.',
    ],
    fails: [
      "A handshake with the first user's token after the second user has signed in, also where the token was fetched with the first user's session.",
      "A second user who stays on the first user's socket.",
    ],
    untested: ["A client that gives the first user's call up by itself before the response can arrive late."],
    warns: ['A handshake that still declares the first user.', 'A socket of the first user that stays open.'],
  },
  needs: ['client', 'clientBob', 'signalingDouble'],
  async run({ client, clock }, judge) {
    const names = Object.keys(courses) as Course[]
    const followed = names.map((course) => followCourse(client, clock, course))
    for (const { course, first, foreign, leftOpen, isTakenOver, wasHeld } of await Promise.all(followed)) {
      const common = { case: `a response received ${courses[course]}` }
      if (!wasHeld)
        judge.untested(
          `the client gave the first user's call up by itself in each of ${times} tries, so that no response to it was received ${courses[course]}; a machine that is less busy may be faster than the client's limit`,
        )
      const evidence = foreign.map(({ exchange }) => exchange)
      const isOwnName =
        foreign.length > 0 && foreign.every((attempt) => attempt.declaredUser === first.userId)
      judge.must(foreign.length === 0 || isOwnName, {
        ...common,
        saw: `a handshake with a token of the user who has signed out (response received ${courses[course]})`,
        expected: 'only tokens of the signed-in user (2.1.4)',
        fix: 'Discard the session, and cached and pending tokens, on sign-out.',
        evidence,
      })
      judge.advisory(!isOwnName, {
        ...common,
        saw: 'a handshake of the signed-out user, with their own userId, after another user has signed in',
        expected: 'connections of a user to end with their session',
        fix: 'Cancel pending connections on sign-out.',
        evidence,
      })
      judge.must(!isTakenOver, {
        ...common,
        saw: 'no connection of the next user, and the socket of the signed-out user still open',
        expected: 'a connection with a token of the signed-in user (2.1.4)',
        isAbsence: true,
        fix: 'Close the socket on sign-out, and connect again for the next user.',
        evidence: leftOpen.map(({ exchange }) => exchange),
      })
      judge.advisory(leftOpen.length === 0 || isTakenOver, {
        ...common,
        saw: 'a socket of the signed-out user still open while another user is connected',
        expected: 'connections of a user to end with their session',
        fix: 'Close the socket on sign-out: the calls of that user would ring on this device.',
        evidence: leftOpen.map(({ exchange }) => exchange),
      })
    }
  },
})

/** A client that gives the first call up by a limit of its time, as on a busy machine, is opened again. */
const times = 3
/** A client that shares a fetch sends no request for the second user: the check waits so long for one. */
const secondCallSeconds = 2
/** How long the closing handshake of a busy machine may take. */
const closingSeconds = 10
const aftermathSeconds = 1
/** On a busy machine a client takes longer: so many times what it took from the action to its call. */
const paceTimes = 5
const longestAftermathSeconds = 10

async function followCourse(client: Client, clock: Clock, course: Course) {
  let followed = await followOnce(client, clock, course)
  for (let time = 1; time < times && !followed.wasHeld; time += 1)
    followed = await followOnce(client, clock, course)
  return followed
}

async function followOnce(client: Client, clock: Clock, course: Course) {
  await using app = await client.open()
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  if (course === 'connected before') first.resolve()
  if (course === 'after' || course === 'connected before') second.resolve()
  const answerAfter = (promise: Promise<void>) =>
    app.backend.answer(async (_, ordinary) => {
      await promise
      return await ordinary()
    })
  // Scripted before sign-in, since some apps connect on their own.
  answerAfter(first.promise)
  const signedInAt = clock.monotonic()
  const alice = await app.signIn('alice')
  const connectedAt = clock.monotonic()
  await app.connect()
  const { at: askedAt } = await app.waitForTokenCall()
  const reactionMs = askedAt - (askedAt < connectedAt ? signedInAt : connectedAt)
  const patience = Math.min(
    longestAftermathSeconds,
    Math.max(aftermathSeconds, (paceTimes * reactionMs) / 1000),
  )
  if (course === 'connected before')
    await app.waitFor(() => app.signaling.attempts().at(-1)?.outcome === 'accepted')
  const leftAt = clock.monotonic()
  await app.signOut()
  const signOut = { from: leftAt, to: clock.monotonic() }
  const callsBefore = app.backend.calls().length
  const attemptsBefore = app.signaling.attempts().length
  const earlier = () => app.signaling.attempts().slice(0, attemptsBefore)
  const later = () => app.signaling.attempts().slice(attemptsBefore)
  answerAfter(second.promise)
  await app.signIn('bob')
  if (course === 'before') {
    first.resolve()
    await app.waitForQuiet()
  }
  await app.connect()
  await app.waitFor(() => app.backend.calls().length > callsBefore, Math.max(secondCallSeconds, patience))
  if (course === 'between') {
    first.resolve()
    await app.waitFor(() => later().length > 0, patience)
  }
  second.resolve()
  const isDecided = () => later().some(({ outcome }) => outcome !== null)
  await app.waitFor(isDecided, Math.max(secondCallSeconds, patience))
  first.resolve()
  await app.waitFor(() => false, patience)
  const own = app.issued().filter(({ userId }) => userId === alice.userId)
  const isOfFirst = ({ credential }: ConnectionAttempt) => own.some(({ jwt }) => jwt === credential)
  const notConnected = await app.waitForAttempt(attemptsBefore).then(
    () => null,
    (error: unknown) => error,
  )
  /** Accepted connections of the first user that have not ended by then. */
  const findOpen = () => earlier().filter((one) => isOfFirst(one) && isOpen(one))
  await app.waitFor(() => findOpen().length === 0, closingSeconds)
  const leftOpen = findOpen()
  // Last: a handshake may come late, and its credential later still.
  const isKnown = ({ credential, outcome, closedAt }: ConnectionAttempt) =>
    credential !== null || outcome !== null || closedAt !== null
  await app.waitFor(() => later().every(isKnown), closingSeconds)
  if (!later().every(isKnown)) throw new Untested('a handshake of the second user sent no credential in time')
  /** Handshakes with a token of the first user after the second has signed in. */
  const foreign = later().filter(isOfFirst)
  if (notConnected !== null && leftOpen.length === 0) throw notConnected
  const held = app.backend.calls().slice(0, callsBefore)
  /** The response to the first user's call could arrive late, unless the client cancelled the call at the sign-out. */
  const wasHeld = course === 'connected before' || isAnyHeld(held, signOut)
  // Else the second user has no connection but those that are open.
  return { course, first: alice, foreign, leftOpen, isTakenOver: notConnected !== null, wasHeld }
}

/** Limits of clients are longer: a call that is given up sooner was cancelled, as by the next user's connection. */
const shortestLimitMs = 4000
/** How long a cancellation may take to arrive. */
const arrivalMs = 1000

type Call = Pick<BackendCall, 'at' | 'givenUpAt'>

/** When the sign-out was begun, and was over. */
interface SignOut {
  readonly from: number
  readonly to: number
}

/** Says whether a call was open until the sign-out, and not given up by the client's own limit. */
export function isAnyHeld(calls: readonly Call[], { from, to }: SignOut): boolean {
  return calls.some(({ at, givenUpAt }) => {
    if (givenUpAt === null) return true
    return givenUpAt >= from && (givenUpAt <= to + arrivalMs || givenUpAt - at <= shortestLimitMs)
  })
}
