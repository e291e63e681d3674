import { findGarbling } from '../../src/base/garbled-id.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { pathsHolding } from '../../src/base/tokens/find-user-claim.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { ConfiguredSession } from '../../src/roles/backend/configuration.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { answeredFromCache } from './lib/ask-past-cache.ts'
import { describeReply, isOverload, leaveUndecided } from './lib/describe-reply.ts'
import { findMintedUser, type Sight, tokensTellNoUser, withSight } from './lib/sight.ts'
import { type Rates, watchQuiet } from './lib/watch-quiet.ts'
import { askInTime, longestKeptSeconds } from './lib/with-short-lived-tokens.ts'

type Parts = CheckContext<'backend'>

const noOdd =
  'backend.sessions.odd is not given: list users there whose ids hold quotes, blanks, #, % or other scripts, where the backend has such'
/** Caches drop a token up to half a minute before its end, as a rule. */
const usualMarginSeconds = 30
const expected = 'the id of the session, character by character (2.1.3)'
const fix =
  'Write the body of the mint call by a JSON encoder, in UTF-8, from the id as the login has it: no escaping, trimming or decoding.'

export default defineCheck({
  id: 'BACK-27',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.3', '4.2.2'],
  standards: ['RFC 8259, 7', 'RFC 8259, 8.1', 'OWASP ASVS 5.0, 1.2.3'],
  basis: 'The userId is the stable and unique id of the user that is logged in (2.1.3, 4.2.2).',
  title: 'mints for the exact id of every user',
  why: 'An id that is written by hand into a body becomes that of another user, and a quote in it can set further fields of the mint call.',
  how: {
    does: [
      'Between two controls, each user of backend.sessions.odd requests a token.',
      "Expects a call at the suite's mint double that names exactly their id, and a token of that call.",
      'Then all of them request one more, which lives for half a minute longer: a cache may keep it.',
      'Compares the id for which alice and bob are minted with the one in the file, too.',
      'Without the mint double, the userId in the claims of each token is judged.',
    ],
    fails: [
      'A mint call or a token for any other id, such as that of another of these users.',
      'For alice and bob, one that differs in case, blanks, zeros in front or the Unicode form of letters alone, where the session (a JWT) or the response names the id as in the file.',
      'For alice and bob, the id in the file, garbled: U+FFFD or question marks for letters outside ASCII, its UTF-8 bytes read as Latin-1, or its percent-encoding, unless the session or the response names the id so.',
    ],
    warns: [
      'No mint call, where the backend rejects the request of such a user.',
      'Such a difference for alice or bob where only the file names the id, and any other difference: the file may have it wrong.',
    ],
    untested: [
      'A backend that answers from a cache, or without the double, where no claim holds the userId.',
      'A mint call for a longer id, which contains the one in the file.',
      'Requests that take longer than a cache keeps a token, or meet no response.',
    ],
  },
  // Two more rounds where the first took longer than its tokens live.
  mints: 42,
  needs: ['backend'],
  run: (parts, judge) =>
    withSight(parts, async (sight) => {
      const { odd = [] } = parts.configuration.backend?.sessions ?? {}
      if (sight === null)
        return odd.length === 0 ? judge.notApplicable(noOdd) : judge.untested(tokensTellNoUser)
      const isSpelledRight = await judgeUsual(parts, sight, judge)
      if (odd.length === 0 && isSpelledRight) judge.notApplicable(noOdd)
      await judge.sandwich(
        () => parts.backend.token(),
        async () => {
          const own = sight.double === null ? new Map() : await watchQuiet(sight.double, parts.clock)
          for (const [index, user] of odd.entries())
            await judgeOdd(parts, sight, { ...user, name: nameOf(index) }, own, judge)
          if (sight.double !== null) await judgeKept(parts, odd, sight.double, judge)
        },
      )
    }),
})

/** Judges the users of the file whose ids are usual: the backend or the file may spell those otherwise. True where neither does. */
async function judgeUsual({ backend, available }: Parts, sight: Sight, judge: Judge): Promise<boolean> {
  let isSpelledRight = true
  const users = [
    ['alice', backend.alice],
    ['bob', available('bob')],
  ] as const
  for (const [name, user] of users) {
    if (user === undefined) continue
    const { reply, user: minted } = await sight.request({ session: user })
    if (minted === null || minted === user.userId) continue
    isSpelledRight = false
    const json = reply.kind === 'answer' ? reply.json : null
    const respelled = findRespelling(minted, user.userId)
    const isShown = respelled !== null && isNamedIn(user.userId, user.token, json)
    // A login that names the id so has it so.
    const garbling = isNamedIn(minted, user.token, json) ? null : findGarbling(minted, user.userId)
    const inFile = `backend.sessions.${name}.userId`
    const differs = respelled === null ? 'is another than' : `differs in ${respelled} alone from`
    const isCertain = isShown || garbling !== null
    const how =
      garbling === null
        ? `${differs} ${isShown ? 'the id that the login names' : inFile}`
        : `holds ${garbling} of ${inFile}`
    judge[isCertain ? 'must' : 'should'](false, {
      case: name,
      saw: `a token for ${name} whose userId ${how}`,
      expected,
      fix: isCertain ? fix : `${fix} Where the backend is right, correct ${inFile}.`,
      evidence: [reply.exchange],
    })
  }
  return isSpelledRight
}

/** @param own the ids that the backend mints for by itself */
async function judgeOdd(
  { backend }: Parts,
  { double, request }: Sight,
  { token: session, userId, name }: ConfiguredSession & { readonly name: string },
  own: Rates,
  judge: Judge,
): Promise<void> {
  const { reply, calls, ...seen } = await request({ session, case: name })
  const evidence = [reply.exchange]
  const isEcho = double === null && backend.issuedBy(reply) === null
  const [jwt, user] = isEcho ? [null, null] : [seen.jwt, seen.user]
  if (jwt === null && calls.length === 0) {
    if (isOverload(reply)) judge.lost(`${describeReply(reply)} for ${name}`, evidence)
    // The mint may be what rejects such an id.
    else if (double === null) judge.untested(`the backend ${describeReply(reply)} for ${name}`)
    else
      judge.should(false, {
        case: name,
        saw: `the backend ${describeReply(reply)}, without a mint call, for ${name}`,
        expected: 'a token for every user that is logged in',
        fix: 'Take any id that the login gives, or let the login give no such ids.',
        evidence,
      })
    return
  }
  if (double !== null && jwt !== null && user === null)
    return judge.untested(`${answeredFromCache} for ${name}`)
  const others = calls.filter((call) => call.userId !== userId && !own.has(call.userId))
  const named = user ?? others[0]?.userId
  // The file names the user otherwise than the backend does: nothing in the id was changed.
  if (named !== userId && named?.includes(userId))
    return judge.untested(
      `the backend mints for a longer id around that of ${name}: write the whole id there`,
    )
  const isRight =
    jwt === null ? others.length === 0 || calls.some((call) => call.userId === userId) : user === userId
  judge.must(isRight, {
    case: name,
    saw:
      jwt === null || others.length > 0
        ? `a mint call ${describeId(others[0], userId)} for ${name}`
        : `a token that was minted for another id, for ${name}`,
    expected,
    fix,
    evidence: [...evidence, ...others.map(({ exchange }) => exchange)],
  })
}

/** Judges what a cache keeps: users whose ids differ in what its key leaves out get each other's tokens. */
async function judgeKept(
  { backend, clock }: Parts,
  odd: readonly ConfiguredSession[],
  double: ScriptedMint,
  judge: Judge,
): Promise<void> {
  const ids = odd.map(({ userId }) => userId)
  const isInTime = await askInTime(double, clock, usualMarginSeconds, async () => {
    for (const [index, { token: session, userId }] of odd.entries()) {
      const reply = await backend.request({ session, followRedirects: true, case: nameOf(index) })
      if (leaveUndecided(judge, reply, `for ${nameOf(index)}`)) continue
      const jwt = backend.tokenOf(reply)
      const owner = ids.indexOf((jwt === null ? null : findMintedUser(double, jwt)) ?? userId)
      judge.must(owner === -1 || ids[owner] === userId, {
        case: nameOf(index),
        saw: `the token of ${nameOf(owner)} for ${nameOf(index)}`,
        expected: 'a token of each user alone (2.1.4)',
        fix: 'Keep tokens by the id as the login has it, if at all: no folding, trimming or cutting.',
        evidence: [reply.exchange],
      })
    }
    return false
  })
  if (!isInTime)
    judge.missed(
      `the requests of backend.sessions.odd took longer than ${longestKeptSeconds} s, so tokens that a cache keeps could not be seen`,
    )
}

function nameOf(index: number): string {
  return `user ${index + 1} of backend.sessions.odd`
}

function describeId(call: DoubleCall | undefined, userId: string): string {
  if (call === undefined) return 'for another id'
  if (call.json === undefined) return 'whose body is no JSON'
  if (call.userId === null) return 'without a string userId'
  if (call.userId.length < userId.length && userId.startsWith(call.userId))
    return `for the first ${call.userId.length} of ${userId.length} characters of the id`
  const lengths =
    call.userId.length === userId.length
      ? `of ${userId.length} characters as well`
      : `of ${call.userId.length} characters instead of ${userId.length}`
  const respelled = findRespelling(call.userId, userId)
  return `for another id, ${lengths}${respelled === null ? '' : `, which differs in ${respelled} alone`}`
}

const foldings = [
  ['case', (id: string) => id.toLowerCase()],
  ['blanks', (id: string) => id.replaceAll(/\s+/g, '')],
  ['zeros in front', (id: string) => id.replace(/^0+(?=[1-9]\d*$)/, '')],
  ['the Unicode form of its letters', (id: string) => id.normalize('NFKC')],
] as const

/** The only thing in which two ids differ, completing "differs in …"; null where they are equal, or differ in more. */
function findRespelling(one: string, other: string): string | null {
  if (one === other) return null
  const found = foldings.find(([, fold]) => fold(one) === fold(other))
  if (found !== undefined) return found[0]
  const foldAll = (id: string) => foldings.reduce((text, [, fold]) => fold(text), id)
  return foldAll(one) === foldAll(other) ? 'case, blanks, zeros in front and the form of its letters' : null
}

/** An address or a login may be written otherwise than the id. */
const idName = /(?:^\$|[.'])(?:sub|id|uid|user_?id)(?:'\])?$/i

/** Says whether a session or a response names exactly this id as that of a user: then the login has it so. */
function isNamedIn(userId: string, session: string, json: unknown): boolean {
  const holds = (value: unknown) =>
    isRecord(value) && pathsHolding(value, userId, 'auto').some((path) => idName.test(path))
  return holds(readToken(session)?.claims) || holds(json)
}
