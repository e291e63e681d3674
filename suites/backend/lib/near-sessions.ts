import { daySeconds } from '../../../src/base/times.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import { cutSession } from '../../../src/roles/backend/cut-session.ts'

/** Texts in the place of a session, by a name that completes "a request with …". */
type NearSessions = Readonly<Record<string, string>>

/**
 * Texts made of an issued session that a careless comparison takes for it. One that some reader of sessions may take for
 * the same is left out: UUIDs and hexadecimal texts know no case, and their dashes say nothing.
 */
export function alterSession(token: string): NearSessions {
  const cut = cutSession(token)
  const last = token.split(/[^a-z0-9+/_=-]/i).at(-1) ?? ''
  const isPart = last.length >= shortestPart && last !== token && isCaseSensitive(last)
  return {
    ...(longNumber.test(token) && {
      'a session of digits with another last one': token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
    }),
    ...(isCaseSensitive(token) && {
      'a session with its letters in the other case': swapCase(token),
      'a session without its punctuation': token.replaceAll(/[^a-z0-9=]/gi, ''),
    }),
    ...(isPart && {
      'a session with the letters of its last part in the other case':
        token.slice(0, -last.length) + swapCase(last),
    }),
    ...(cut !== null && {
      'a session without its last characters': cut,
      // Hexadecimal digits, too: a reader of those may stop at the first other character.
      'a session with further digits behind it': `${token}0000`,
    }),
  }
}

/** As a number with a floating point, it is equal to its neighbours. */
const longNumber = /^0*[1-9]\d{17,}$/
/** A shorter part may be the name of a server. */
const shortestPart = 16

/**
 * Moves the time in a session that has expired to tomorrow, in seconds or milliseconds, as it stands or in a part in
 * base64url. Only a login that believes such a time serves it. JWTs have their own forgeries.
 */
export function prolongSession(expired: string, nowMs: number): string | null {
  if (readToken(expired) !== null) return null
  const tomorrow = Math.floor(nowMs / 1000) + daySeconds
  const prolong = (text: string) =>
    text.replaceAll(/(?<!\d)1[5-9]\d{8}(\d{3})?(?!\d)/g, (_, thousandths?: string) =>
      thousandths === undefined ? String(tomorrow) : `${tomorrow}000`,
    )
  const inParts = expired.replaceAll(/[\w-]{14,}/g, (part) => {
    const text = Buffer.from(part, 'base64url').toString('latin1')
    const changed = /^[\x20-\x7e]+$/.test(text) ? prolong(text) : text
    return changed === text ? part : Buffer.from(changed, 'latin1').toString('base64url')
  })
  const prolonged = prolong(inParts)
  return prolonged === expired ? null : prolonged
}

/**
 * Lists values that clients without a session send in its place, values that developers leave behind, and
 * patterns to a store.
 */
export function guessSessions(userId: string): NearSessions {
  return {
    // A header carries it, and as one word.
    ...(/^[\x21-\x7e]+$/.test(userId) && { "the user's id as the session": userId }),
    ...Object.fromEntries(texts.map((text) => [`${text} as the session`, text])),
    // Where the store of the sessions throws, the route may go on as if it had found one.
    'a session of 4,000 characters': 'x'.repeat(4000),
    'a session with a letter that is not ASCII': 's\xe9ssion',
  }
}

/** Every object of JavaScript has a constructor and a __proto__, also one that is used as a table of sessions. */
const texts = [
  ...['undefined', 'null', 'test-token', '%', '_', '*', '{"$ne":null}', "'OR'1'='1", 'constructor'],
  '__proto__',
]

/**
 * Says whether letters of both cases are mixed, as in base64 and its like. A prefix in another case mixes
 * nothing.
 */
function isCaseSensitive(session: string): boolean {
  return (session.match(/[a-z0-9]+/gi) ?? []).some(
    (run) => run.replaceAll(/[^a-z]/g, '').length > 1 && run.replaceAll(/[^A-Z]/g, '').length > 1,
  )
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  )
}
