import { cutSession } from '../../../src/roles/backend/cut-session.ts'

/** A text in the place of a session; its name completes "a request with …". */
export type NearSession = readonly [name: string, session: string]

/**
 * Texts made of an issued session that a careless comparison takes for it. One that some reader of sessions may take for
 * the same is left out: UUIDs and hexadecimal texts know no case, and their dashes say nothing.
 */
export function alterSession(token: string): NearSession[] {
  const cut = cutSession(token)
  return [
    ...(isCaseSensitive(token)
      ? [
          ['a session with its letters in the other case', swapCase(token)] as const,
          ['a session without its punctuation', token.replaceAll(/[^a-z0-9=]/gi, '')] as const,
        ]
      : []),
    ...(cut === null
      ? []
      : [
          ['a session without its last characters', cut] as const,
          // Hexadecimal digits, too: a reader of those may stop at the first other character.
          ['a session with further digits behind it', `${token}0000`] as const,
        ]),
  ]
}

/**
 * Lists values that clients without a session send in its place, values that developers leave behind, and
 * patterns to a store.
 */
export function guessSessions(userId: string): NearSession[] {
  return [
    ...(isCarried(userId) ? [["the user's id as the session", userId] as const] : []),
    ...texts.map((text) => [`${text} as the session`, text] as const),
    // Where the store of the sessions throws, the route may go on as if it had found one.
    ['a session of 4,000 characters', 'x'.repeat(4000)],
    ['a session with a letter that is not ASCII', 's\xe9ssion'],
  ]
}

/** Every object of JavaScript has a constructor and a __proto__, also one that is used as a table of sessions. */
const texts = [
  'undefined',
  'null',
  'test-token',
  '%',
  '_',
  '*',
  '{"$ne":null}',
  "'OR'1'='1",
  'constructor',
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
  return Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join(
    '',
  )
}

/** A header carries it, and as one word. */
function isCarried(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
