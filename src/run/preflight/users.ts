import type { Clock } from '../../base/clock.ts'
import { findGarbling } from '../../base/garbled-id.ts'
import type { Answer } from '../../base/http/client.ts'
import { forgottenTokenMs, longestForeignTokenMs } from '../../base/times.ts'
import { readToken, tokensIn } from '../../base/tokens/decode.ts'
import { userAt } from '../../base/tokens/find-user-claim.ts'
import { type Asked, type AskedUser, type Asking, isAnswered } from './ask-sessions.ts'
import type { Problem } from './problem.ts'

/** Paths of claims at which the mint was seen to put the userId; empty where it was not asked. */
export type UserPaths = readonly string[]

const usualPaths = ['$.userId', '$.user_id', '$.uid', '$.sub']

/** For whom the backend minted with one session; null where that cannot be seen. */
interface Minted {
  readonly asked: Asked<Answer>
  readonly user: string
}

/** Ids of the file that the backend does not mint for. Only what is the same every time, and for each user another, is a mistake. */
export async function findUserProblems(
  asked: readonly Asked<Answer>[],
  asking: Asking,
  { paths, clock }: { readonly paths: UserPaths; readonly clock: Clock },
): Promise<Problem[]> {
  const minted = asked.flatMap((one): Minted[] => {
    const user = mintedFor(one, paths)
    return user === null ? [] : [{ asked: one, user }]
  })
  const problems: Problem[] = []
  for (const one of minted) {
    const { name, session } = one.asked
    if (one.user === session.userId) continue
    const fatal = isMistake(one, minted)
    if (!fatal && !isAltered(one.user, session.userId) && !isGarbled(one.user, session.userId)) continue
    const waitMs = getsTokenOfOther(one, minted) ? untilForgotten(one.asked.reply, clock) : 0
    const again = await asking.ask(name, waitMs)
    if (again === undefined || !isAnswered(again) || mintedFor(again, paths) !== one.user) continue
    // A token that comes again although it has expired is a fault of the backend, whatever the file says.
    const isMistaken = fatal && !(again.calls.length === 0 && millisecondsLeft(again.reply, clock) <= 0)
    problems.push({ part: 'backend', kind: 'session', message: describe(one, minted), fatal: isMistaken })
  }
  return problems
}

/** Until the expiry of a token that is kept, where that is soon. */
function untilForgotten(reply: Answer, clock: Clock): number {
  const leftMs = millisecondsLeft(reply, clock)
  return leftMs <= longestForeignTokenMs ? Math.max(forgottenTokenMs, leftMs) : forgottenTokenMs
}

function millisecondsLeft({ body }: Answer, clock: Clock): number {
  const exp = tokensIn(body).map((jwt) => readToken(jwt)?.claims?.['exp'])[0]
  return typeof exp === 'number' ? exp * 1000 - clock.wall() : Number.POSITIVE_INFINITY
}

function mintedFor({ calls, reply, session }: Asked<Answer>, paths: UserPaths): string | null {
  // Prefers the call whose token was returned: a health probe mints for another id.
  const returned = calls.find(({ issued }) => issued !== null && reply.body.includes(issued))
  const call = returned ?? calls.find(({ userId }) => userId !== null)
  if (calls.length > 0) return call?.userId ?? null
  const claims = tokensIn(reply.body)
    .map((jwt) => readToken(jwt)?.claims)
    .find((one) => one != null)
  if (claims == null) return null
  const users = (paths.length > 0 ? paths : usualPaths).flatMap((path) => userAt(claims, path) ?? [])
  return users.includes(session.userId) ? session.userId : (users[0] ?? null)
}

/** The token is the one that another session was given: without a mint call, a cache that everybody shares does that, too. */
function getsTokenOfOther({ asked }: Minted, minted: readonly Minted[]): boolean {
  const [jwt] = tokensIn(asked.reply.body)
  return (
    jwt !== undefined &&
    asked.calls.length === 0 &&
    minted.some((other) => other.asked !== asked && tokensIn(other.asked.reply.body)[0] === jwt)
  )
}

function isMistake({ asked: { name, session }, user }: Minted, minted: readonly Minted[]): boolean {
  const of = (wanted: AskedUser) => minted.find(({ asked }) => asked.name === wanted)
  const [alice, second, bob] = [of('alice'), of('aliceSecondDevice'), of('bob')]
  // A backend that alters the id, or makes it of the session, is what is judged.
  if (
    isAltered(user, session.userId) ||
    isGarbled(user, session.userId) ||
    user.includes(session.token) ||
    session.token.includes(user)
  )
    return false
  const claims = readToken(session.token)?.claims ?? {}
  if (Object.values(claims).includes(session.userId)) return false
  // One id for everybody, which is nobody's in the file.
  const isNobodys = !minted.some((one) => one.asked.session.userId === user)
  if (isNobodys && alice?.user === bob?.user) return false
  // Another id on another device, as where the id of a session is taken for that of its user. Only the session of another user
  // that the file has is in a wrong place then.
  if (alice !== undefined && second !== undefined && alice.user !== second.user)
    return (
      !isNobodys &&
      (name === 'bob' || (name === 'aliceSecondDevice' && second.user === bob?.asked.session.userId))
    )
  return true
}

function describe(one: Minted, minted: readonly Minted[]): string {
  const { user } = one
  const { name, session } = one.asked
  const other = minted.find(
    ({ asked }) =>
      asked.name !== name &&
      asked.name !== 'aliceSecondDevice' &&
      asked.session.userId === user &&
      asked.session.userId !== session.userId,
  )
  const saw = `${name} got a token for ${user}`
  const shared = getsTokenOfOther(one, minted)
    ? '; if the file is right, the backend mixes up users; run with --keep-going to judge that'
    : ''
  return other === undefined
    ? `${saw}; the file says ${session.userId}: correct userId in backend.sessions.${name}, or replace its token by a session of ${session.userId}`
    : `${saw}, the userId of ${other.asked.name}; the file says ${session.userId}: replace backend.sessions.${name}.token, or correct the ids${shared}`
}

/** Differs in case, space or what stands around it. */
function isAltered(minted: string, wanted: string): boolean {
  const [left, right] = [minted.trim().toLowerCase(), wanted.trim().toLowerCase()]
  return (left.includes(right) || right.includes(left)) && !hasOwnCapitals(minted, wanted.trim())
}

/** Fewer may be in any text. */
const tellingLetters = 3

/** Has all plain letters of an id with other signs, which an encoding or an escape has changed. */
function isGarbled(minted: string, wanted: string): boolean {
  if (findGarbling(minted, wanted) !== null) return true
  const plain = wanted.toLowerCase().match(/[a-z0-9]/g) ?? []
  if (plain.length < tellingLetters || /^[\w.@-]*$/.test(wanted)) return false
  let at = 0
  for (const letter of minted.toLowerCase()) if (letter === plain[at]) at += 1
  return at === plain.length
}

/** A backend may fold the case of an id, and set something around it; capitals that it adds here and there it knows by itself. */
function hasOwnCapitals(minted: string, wanted: string): boolean {
  const isFolded = minted === minted.toLowerCase() || minted === minted.toUpperCase()
  return !isFolded && !minted.includes(wanted) && !wanted.includes(minted)
}
