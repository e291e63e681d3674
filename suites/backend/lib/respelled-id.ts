import { isRecord, readToken } from '../../../src/base/tokens/decode.ts'
import { pathsHolding } from '../../../src/base/tokens/find-user-claim.ts'

const foldings = [
  ['case', (id: string) => id.toLowerCase()],
  ['blanks', (id: string) => id.replaceAll(/\s+/g, '')],
  ['zeros in front', (id: string) => id.replace(/^0+(?=[1-9]\d*$)/, '')],
  ['the Unicode form of its letters', (id: string) => id.normalize('NFKC')],
] as const

/** The only thing in which two ids differ, completing "differs in …"; null where they are equal, or differ in more. */
export function findRespelling(one: string, other: string): string | null {
  if (one === other) return null
  const found = foldings.find(([, fold]) => fold(one) === fold(other))
  if (found !== undefined) return found[0]
  const foldAll = (id: string) => foldings.reduce((text, [, fold]) => fold(text), id)
  return foldAll(one) === foldAll(other) ? 'case, blanks, zeros in front and the form of its letters' : null
}

/** An address or a login may be written otherwise than the id. */
const idName = /(?:^\$|[.'])(?:sub|id|uid|user_?id)(?:'\])?$/i

/** Says whether a session or a response names exactly this id as that of a user: then the login has it so. */
export function isNamedIn(userId: string, session: string, json: unknown): boolean {
  const holds = (value: unknown) =>
    isRecord(value) && pathsHolding(value, userId, 'auto').some((path) => idName.test(path))
  return holds(readToken(session)?.claims) || holds(json)
}
