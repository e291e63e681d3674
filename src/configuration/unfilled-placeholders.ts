import type { z } from 'zod'
import { isInBraces } from '../base/in-braces.ts'
import { complain } from '../base/schema/complain.ts'
import type { KeyPath } from './path.ts'

interface UnfilledPlaceholder {
  readonly path: KeyPath
  /** With its braces. */
  readonly name: string
  /** The placeholders that are filled at this place, with their braces. */
  readonly filled: readonly string[]
  /** It stands in other braces. */
  readonly isNested: boolean
}

/** Names that stand for a credential or an id. Any other word in braces may belong to the protocol. */
const meant =
  /^(?:jwt|token|(?:access|auth|calling|session)[_-]?token|bearer|credential|user(?:[_-]?id|[_-]?name)?|uid|ticket|random|nonce|uuid|session(?:[_-]?id)?|api[_-]?key|key)$/i

const credential = ['{jwt}', '{userId}']

export function complainOfPlaceholders(profile: object, context: z.RefinementCtx): void {
  complainOf(findUnfilledPlaceholders(profile), context)
}

/** As those of a profile, in what every call of the token route carries. */
export function complainOfRequestPlaceholders(request: object, context: z.RefinementCtx): void {
  const unfilled = inside(request, [], ['{userId}'])
  // Braces in braces are of the language of a query.
  complainOf(
    unfilled.filter(({ isNested }) => !isNested),
    context,
  )
}

function complainOf(placeholders: readonly UnfilledPlaceholder[], context: z.RefinementCtx): void {
  for (const { path, name, filled } of placeholders) {
    const known = filled.length === 0 ? 'nothing is filled in here' : `write ${filled.join(' or ')}`
    complain(context, [...path], `has the placeholder ${name}, which would be sent as it is: ${known}`)
  }
}

/** Lists the placeholders of a profile that would be sent as they are written. */
function findUnfilledPlaceholders(profile: object): UnfilledPlaceholder[] {
  const isBinary = 'binary' in profile && profile.binary !== undefined
  return Object.entries(profile).flatMap(([key, value]) => inside(value, [key], filledBelow(key, isBinary)))
}

function filledBelow(key: string, isBinary: boolean): readonly string[] {
  if (key === 'carriage' || key === 'declaredUser' || key === 'again')
    return isBinary ? [...credential, '{random}'] : credential
  if (key === 'samples') return ['{userId}']
  return key === 'path' ? ['{random}'] : []
}

function inside(value: unknown, path: KeyPath, filled: readonly string[]): UnfilledPlaceholder[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\{([\w-]{2,20})\}/g)].flatMap(({ 0: name, 1: word = '', index }) => {
      if (!meant.test(word) || filled.includes(name)) return []
      return [{ path, name, filled, isNested: isInBraces(value, index) }]
    })
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one, index) => inside(one, [...path, index], filled))
  // Braces in a command belong to the shell.
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'command' ? [] : inside(one, [...path, key], filled),
  )
}
