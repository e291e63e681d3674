import { findGarbling } from '../../src/base/garbled-id.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { ConfiguredSession } from '../../src/roles/backend/types.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache } from './lib/ask-past-cache.ts'
import { describeReply, isOverload } from './lib/describe-reply.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { mustGetToken } from './lib/offer-request.ts'
import { learnTokenUser, type ReadTokenUser, tokensTellNoUser } from './lib/read-token-user.ts'
import { findRespelling, isNamedIn } from './lib/respelled-id.ts'
import { cacheUntil } from './lib/variant-caches.ts'
import { changingIds, foreignId, garblingAlice, keepingTokensBy, writingBody } from './lib/variant-ids.ts'
import { watchQuiet } from './lib/watch-quiet.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

type Parts = CheckContext<'backend'>

const noOdd =
  'backend.sessions.odd is not given: list users there whose ids hold quotes, blanks, #, % or other scripts, where the backend has such'
/** Caches drop a token up to half a minute before its end, as a rule. */
const usualMarginSeconds = 30
/** So long a cache may keep a token while all of them ask: longer where they could not in the time before. */
const keptSeconds = [shortLifetime, 3 * shortLifetime, 10 * shortLifetime] as const
const expected = 'the id of the session, character by character (2.1.3)'
const fix =
  'Write the body of the mint call by a JSON encoder, in UTF-8, from the id as the login has it: no escaping, trimming or decoding.'

const withoutOdd = { backend: { sessions: { odd: null } } }

export default defineCheck({
  id: 'BACK-27',
  role: 'backend',
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
  async run(parts, judge) {
    const { odd = [] } = parts.configuration.backend?.sessions ?? {}
    const noteMissing = (isSpelledRight: boolean) => {
      if (odd.length === 0 && isSpelledRight) judge.notApplicable(noOdd)
    }
    const control = () => mustGetToken(parts.backend, {}, "alice's session")
    const double = parts.available('mintDouble')
    if (double === undefined) {
      const readUser = await learnTokenUser(parts)
      if (readUser === null)
        return odd.length === 0 ? judge.notApplicable(noOdd) : judge.untested(tokensTellNoUser)
      noteMissing(await judgeUsual(parts, readUser, judge))
      return judge.sandwich(control, () => judgeTokens(parts, odd, readUser, judge))
    }
    await double.scripted(async (scripted) => {
      scripted.lifetime(shortLifetime)
      noteMissing(await judgeUsual(parts, (jwt) => findMintedUser(scripted, jwt), judge, scripted))
      await judge.sandwich(control, async () => {
        await judgeCalls(parts, odd, scripted, judge)
        await judgeKept(parts, odd, scripted, judge)
      })
    })
  },
  catches: {
    'writes the body by hand': {
      backend: writingBody((id, ttl) => `{"userId":"${id}","ttlSeconds":${ttl}}`),
    },
    'writes the body by hand, and removes line breaks': {
      backend: writingBody((id, ttl) => `{"userId":"${id.replaceAll(/[\r\n]/g, '')}","ttlSeconds":${ttl}}`),
    },
    'escapes quotes alone': {
      backend: writingBody((id, ttl) => `{"userId":"${id.replaceAll('"', '\\"')}","ttlSeconds":${ttl}}`),
    },
    'encodes the id as for an address': { backend: changingIds(encodeURIComponent) },
    'decodes the id as from an address': { backend: changingIds(decoded) },
    'reads the id from a query': {
      backend: changingIds((id) => new URLSearchParams(`id=${id}`).get('id') ?? id),
    },
    'escapes the id as for HTML': {
      backend: changingIds((id) =>
        id.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
      ),
    },
    'removes quotes': { backend: changingIds((id) => id.replaceAll(/["']/g, '')) },
    'removes what is not ASCII': { backend: changingIds((id) => id.replaceAll(/\P{ASCII}/gu, '')) },
    'writes a question mark for what Latin-1 lacks': {
      backend: changingIds((id) => id.replaceAll(/[\u{100}-\u{10ffff}]/gu, '?')),
    },
    'keeps three bytes of a character at most, as an old database does': {
      backend: changingIds((id) => id.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
    },
    'cuts the id at a #': { backend: changingIds((id) => id.split('#')[0] ?? id) },
    'joins blanks and line breaks': { backend: changingIds((id) => id.replaceAll(/\s+/g, ' ').trim()) },
    'folds the id to another form of its letters': {
      backend: changingIds((id) => id.normalize('NFD')),
    },
    'keeps tokens by what an address keeps of the id': {
      backend: keepingTokensBy((id) => (/^[\w-]+$/.test(id) ? id : 'odd')),
    },
    'keeps tokens by the id in small letters, until half a minute before their end': {
      backend: cacheUntil(
        ({ expiresAt }) => expiresAt - 30_000,
        (id) => id.toLowerCase(),
      ),
    },
    'encodes the id as for an address, and cannot be pointed at the mint double': {
      backend: changingIds(encodeURIComponent),
      withoutDouble: true,
    },
    'mints for ids in small letters, where sessions name them otherwise': {
      backend: { sessionForm: 'signed', ...changingIds((id) => id.toLowerCase()) },
      configuration: withoutOdd,
    },
    'mints for ids in small letters, and sessions do not name them': {
      backend: changingIds((id) => id.toLowerCase()),
      configuration: withoutOdd,
      as: 'warn',
    },
    'mints for ids in small letters, and cannot be pointed at the mint double': {
      backend: { sessionForm: 'signed', ...changingIds((id) => id.toLowerCase()) },
      configuration: withoutOdd,
      withoutDouble: true,
    },
    'writes the mint call in Latin-1': garblingAlice((id) => Buffer.from(id, 'latin1').toString()),
    'reads the id as Latin-1': garblingAlice((id) => Buffer.from(id).toString('latin1')),
    'reads the id as Latin-1, and cannot be pointed at the mint double': {
      ...garblingAlice((id) => Buffer.from(id).toString('latin1')),
      withoutDouble: true,
    },
    'writes a question mark for letters outside ASCII': garblingAlice((id) =>
      id.replaceAll(/\P{ASCII}/gu, '?'),
    ),
    'percent-encodes the id of a user whom the file has among the usual ones':
      garblingAlice(encodeURIComponent),
    'percent-encodes the id, and responses name it so': {
      ...garblingAlice(encodeURIComponent, {
        success: (usual, { token }) => ({
          ...usual,
          body: JSON.stringify({ token, user: { id: encodeURIComponent(foreignId) } }),
        }),
      }),
      as: 'warn',
    },
    'mints for a part of the id': {
      backend: changingIds((id) => id.replace(/^u-/, '')),
      configuration: withoutOdd,
      as: 'warn',
    },
    'mints for the number in the id, where responses name the id': {
      backend: {
        ...changingIds((id) => (id === 'u-Alice' ? '417' : id)),
        success: (usual, { token }) => ({
          ...usual,
          body: JSON.stringify({ token, user: { id: '00417' } }),
        }),
      },
      configuration: {
        backend: {
          sessions: { alice: { userId: '00417' }, aliceSecondDevice: { userId: '00417' }, odd: null },
        },
      },
    },
    'rejects users with a quote in their id': {
      backend: {
        recall: async (_, __, usual) => {
          const session = await usual()
          return session !== null && /["']/.test(session.userId) ? null : session
        },
      },
      as: 'warn',
    },
  },
})

/** Judges the users of the file whose ids are usual: the backend or the file may spell those otherwise. True where neither does. */
async function judgeUsual(
  parts: Parts,
  mintedFor: ReadTokenUser,
  judge: Judge,
  double?: ScriptedMint,
): Promise<boolean> {
  const { backend, available } = parts
  let isSpelledRight = true
  const users = [
    ['alice', backend.alice],
    ['bob', available('bob')],
  ] as const
  for (const [name, user] of users) {
    if (user === undefined) continue
    const { reply } =
      double === undefined
        ? { reply: await backend.request({ session: user, followRedirects: true }) }
        : await askPastCache(parts, double, { session: user })
    const jwt = backend.tokenOf(reply)
    const minted = jwt === null ? null : mintedFor(jwt)
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
    judge[isCertain ? 'must' : 'should'](false, {
      case: name,
      saw:
        garbling === null
          ? `a token for ${name} whose userId ${differs} ${isShown ? 'the id that the login names' : inFile}`
          : `a token for ${name} whose userId holds ${garbling} of ${inFile}`,
      expected,
      fix: isCertain ? fix : `${fix} Where the backend is right, correct ${inFile}.`,
      evidence: [reply.exchange],
    })
  }
  return isSpelledRight
}

async function judgeCalls(
  parts: Parts,
  odd: readonly ConfiguredSession[],
  double: ScriptedMint,
  judge: Judge,
): Promise<void> {
  const { backend, clock } = parts
  const own = await watchQuiet(double, clock)
  for (const [index, { token: session, userId }] of odd.entries()) {
    const { reply, calls } = await askPastCache(parts, double, { session, case: nameOf(index) })
    const jwt = backend.tokenOf(reply)
    const mintedFor = jwt === null ? null : findMintedUser(double, jwt)
    const others = calls.filter((call) => call.userId !== userId && !own.has(call.userId))
    const isNamed = calls.some((call) => call.userId === userId)
    if (jwt === null && calls.length === 0) {
      if (isOverload(reply)) judge.lost(`${describeReply(reply)} for ${nameOf(index)}`, [reply.exchange])
      else judgeRefused(judge, index, describeReply(reply), reply.exchange)
      continue
    }
    if (jwt !== null && mintedFor === null) {
      judge.untested(`${answeredFromCache} for ${nameOf(index)}`)
      continue
    }
    const named = mintedFor ?? others[0]?.userId
    if (named !== userId && named?.includes(userId)) {
      judge.untested(describeFramed(index))
      continue
    }
    judge.must(mintedFor === null ? isNamed || others.length === 0 : mintedFor === userId, {
      case: nameOf(index),
      saw:
        mintedFor === null || others.length > 0
          ? `a mint call ${describeId(others[0], userId)} for ${nameOf(index)}`
          : `a token that was minted for another id, for ${nameOf(index)}`,
      expected,
      fix,
      evidence: [reply.exchange, ...others.map(({ exchange }) => exchange)],
    })
  }
}

/** Judges what a cache keeps: users whose ids differ in what its key leaves out get each other's tokens. */
export async function judgeKept(
  parts: Pick<Parts, 'backend' | 'clock'>,
  odd: readonly ConfiguredSession[],
  double: Pick<ScriptedMint, 'calls' | 'lifetime'>,
  judge: Judge,
): Promise<void> {
  const { clock } = parts
  for (const seconds of keptSeconds) {
    double.lifetime(usualMarginSeconds + seconds)
    const begun = clock.monotonic()
    await judgeInTurn(parts, odd, double, judge)
    double.lifetime(shortLifetime)
    // `exp` has whole seconds: a token may end one earlier.
    if (clock.monotonic() - begun < (seconds - 1) * 1000) return
  }
  judge.missed(
    `the requests of backend.sessions.odd took longer than ${keptSeconds.at(-1)} s, so tokens that a cache keeps could not be seen`,
  )
}

async function judgeInTurn(
  { backend }: Pick<Parts, 'backend'>,
  odd: readonly ConfiguredSession[],
  double: Pick<ScriptedMint, 'calls'>,
  judge: Judge,
): Promise<void> {
  const ids = odd.map(({ userId }) => userId)
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
}

/** Judges the tokens themselves, where there is no mint double. */
async function judgeTokens(
  { backend }: Parts,
  odd: readonly ConfiguredSession[],
  readUser: ReadTokenUser,
  judge: Judge,
): Promise<void> {
  for (const [index, { token: session, userId }] of odd.entries()) {
    const reply = await backend.request({ session, followRedirects: true, case: nameOf(index) })
    const jwt = backend.issuedBy(reply) === null ? null : backend.tokenOf(reply)
    if (jwt === null) {
      if (isOverload(reply)) judge.lost(`${describeReply(reply)} for ${nameOf(index)}`, [reply.exchange])
      // The mint may be what rejects such an id.
      else judge.untested(`the backend ${describeReply(reply)} for ${nameOf(index)}`)
      continue
    }
    const named = readUser(jwt)
    if (named !== userId && named?.includes(userId)) {
      judge.untested(describeFramed(index))
      continue
    }
    judge.must(named === userId, {
      case: nameOf(index),
      saw: `a token for another id, for ${nameOf(index)}`,
      expected,
      fix,
      evidence: [reply.exchange],
    })
  }
}

function judgeRefused(judge: Judge, index: number, seen: string, exchange: string): void {
  judge.should(false, {
    case: nameOf(index),
    saw: `the backend ${seen}, without a mint call, for ${nameOf(index)}`,
    expected: 'a token for every user that is logged in',
    fix: 'Take any id that the login gives, or let the login give no such ids.',
    evidence: [exchange],
  })
}

/** The file names the user otherwise than the backend does: nothing in the id was changed. */
function describeFramed(index: number): string {
  return `the backend mints for a longer id around that of ${nameOf(index)}: write the whole id there`
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

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
