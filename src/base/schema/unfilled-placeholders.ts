import type { z } from 'zod'
import * as leaf from './leaves.ts'

type KeyPath = readonly (string | number)[]

/** Names that stand for a credential or an id. Any other word in braces may belong to the protocol. */
const meant =
  /^(?:jwt|token|(?:access|auth|calling|session)[_-]?token|bearer|credential|user(?:[_-]?id|[_-]?name)?|uid|ticket|random|nonce|uuid|session(?:[_-]?id)?|api[_-]?key|key)$/i

const credential = ['{jwt}', '{userId}']

/** Complains of each placeholder of a profile that would be sent as it is written. */
export function complainOfPlaceholders(profile: object, context: z.RefinementCtx): void {
  const isBinary = 'binary' in profile && profile.binary !== undefined
  for (const [key, value] of Object.entries(profile))
    complainBelow(value, [key], filledBelow(key, isBinary), true, context)
}

/** As those of a profile, in what every call of the token route carries. Braces in braces are of the language of a query. */
export function complainOfRequestPlaceholders(request: object, context: z.RefinementCtx): void {
  complainBelow(request, [], ['{userId}'], false, context)
}

/** The placeholders that are filled at a place, with their braces. */
function filledBelow(key: string, isBinary: boolean): readonly string[] {
  if (key === 'carriage' || key === 'declaredUser' || key === 'again')
    return isBinary ? [...credential, '{random}'] : credential
  if (key === 'samples') return ['{userId}']
  return key === 'path' ? ['{random}'] : []
}

function complainBelow(
  value: unknown,
  path: KeyPath,
  filled: readonly string[],
  withNested: boolean,
  context: z.RefinementCtx,
): void {
  if (typeof value === 'string') {
    for (const { 0: name, 1: word = '', index } of value.matchAll(/\{([\w-]{2,20})\}/g)) {
      if (!meant.test(word) || filled.includes(name) || (!withNested && isInBraces(value, index))) continue
      const known = filled.length === 0 ? 'nothing is filled in here' : `write ${filled.join(' or ')}`
      leaf.complain(context, [...path], `has the placeholder ${name}, which would be sent as it is: ${known}`)
    }
  } else if (typeof value === 'object' && value !== null) {
    // Braces in a command belong to the shell.
    for (const [key, one] of Object.entries(value))
      if (key !== 'command')
        complainBelow(one, [...path, Array.isArray(value) ? Number(key) : key], filled, withNested, context)
  }
}

/** Says whether a place of a text is within braces that are open there, as in `mutation{callingToken{token}}`. */
export function isInBraces(text: string, place: number): boolean {
  const before = text.slice(0, place)
  return before.split('{').length > before.split('}').length
}
