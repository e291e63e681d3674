import { parse } from 'yaml'
import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { carriages } from '../roles/signaling/carriages/registry.ts'
import { declaredUserSchema, hintOfDeclaredUser } from '../roles/signaling/declared-users/registry.ts'
import type { TemplatePart } from '../roles/signaling/sent-parts.ts'
import type { Draft, Piece } from './draft.ts'

const hintSchema = z.strictObject({
  carriage: carriages.schema,
  declaredUser: declaredUserSchema.prefault({ in: 'none' }),
})

/**
 * Parses the user's guess at a service, in the words of a profile: `{ carriage: …, declaredUser: … }` in
 * YAML.
 * @throws TwotokenError `usage`
 */
export function parseHint(text: string): Draft {
  const parsed = hintSchema.safeParse(parseYaml(text))
  if (!parsed.success)
    throw new TwotokenError(
      'usage',
      `--try is invalid: ${z.prettifyError(parsed.error)}; use { carriage: …, declaredUser: … } as in a profile`,
      parsed.error,
    )
  const { carriage, declaredUser } = parsed.data
  return {
    pieces: [...carriages.hint(carriage), ...hintOfDeclaredUser(declaredUser).flatMap(toPieces)],
    after: carriages.cueOf(carriage) ?? 'open',
  }
}

function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    throw new TwotokenError('usage', '--try is not YAML; use { carriage: …, declaredUser: … }', cause)
  }
}

/** A message that states the userId is taken apart into its fields. */
function toPieces(part: TemplatePart): Piece[] {
  return part.in === 'text' ? fieldsOf(parseYaml(part.template), []) : [part]
}

function fieldsOf(value: unknown, path: readonly string[]): Piece[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, [...path, key]))
  if (path.length > 0) return [{ in: 'hello', path, template: String(value) }]
  throw new TwotokenError(
    'usage',
    'declaredUser of --try is not a JSON object; use one that contains {userId}',
  )
}
