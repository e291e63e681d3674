import { parse } from 'yaml'
import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { carriage, declaredUser } from '../configuration/profile.ts'
import type { Draft, Piece } from './draft.ts'

const hintSchema = z.strictObject({
  carriage,
  declaredUser: declaredUser.prefault({ in: 'none' }),
})

/**
 * What the user thinks a service wants, in the words of a profile: `{ carriage: …, declaredUser: … }` in YAML.
 * @throws TwotokenError `usage`
 */
export function draftFromHint(text: string): Draft {
  const parsed = hintSchema.safeParse(yamlOf(text))
  if (!parsed.success)
    throw new TwotokenError(
      'usage',
      `--try is not usable: ${z.prettifyError(parsed.error)}; expected { carriage: …, declaredUser: … } as in a profile`,
      parsed.error,
    )
  const { carriage: carried, declaredUser: declared } = parsed.data
  const after = carried.in === 'message' ? carried.after : 'open'
  return {
    place: carried.in,
    pieces: [...piecesOfCarriage(carried), ...piecesOfDeclaration(declared)],
    after,
  }
}

function yamlOf(text: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    throw new TwotokenError('usage', '--try is no YAML; expected { carriage: …, declaredUser: … }', cause)
  }
}

function piecesOfCarriage(carried: z.output<typeof carriage>): Piece[] {
  if (carried.in === 'header') return [{ in: 'header', name: carried.name, template: carried.template }]
  if (carried.in === 'message') return [{ in: 'text', template: carried.template }]
  if (carried.in === 'subprotocol')
    return carried.protocols.map((template): Piece => ({ in: 'subprotocol', template }))
  return [{ in: carried.in, name: carried.name, template: '{jwt}' }]
}

function piecesOfDeclaration(declared: z.output<typeof declaredUser>): Piece[] {
  if (declared.in === 'query' || declared.in === 'header')
    return [{ in: declared.in, name: declared.name, template: '{userId}' }]
  return declared.in === 'message' ? fieldsOf(yamlOf(declared.template), []) : []
}

function fieldsOf(value: unknown, path: readonly string[]): Piece[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, [...path, key]))
  if (path.length > 0) return [{ in: 'hello', path, template: String(value) }]
  throw new TwotokenError(
    'usage',
    'declaredUser of --try is no JSON object; expected one, with {userId} in it',
  )
}
