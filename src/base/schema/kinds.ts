import { z } from 'zod'

/** The schema of one of several kinds, which its `in` names. */
export type KindSchema = z.ZodObject<{ in: z.ZodLiteral<string> }, z.core.$strict>

export interface Kind {
  readonly schema: KindSchema
}

export type Kinds<One extends Kind = Kind> = readonly [One, ...One[]]

/** Takes any of the kinds, and names them all where it meets another. */
export function unionOfKinds<const Some extends Kinds>([first, ...others]: Some) {
  const names = [first, ...others].map(nameOf)
  const error = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  const schemas: [Some[number]['schema'], ...Some[number]['schema'][]] = [
    first.schema,
    ...others.map(({ schema }) => schema),
  ]
  return z.discriminatedUnion('in', schemas, { error })
}

/** The kind that a value is of. Throws where none is: its type rules that out. */
export function findKind<One extends Kind>(kinds: Kinds<One>, value: { readonly in: string }): One {
  const kind = kinds.find((one) => nameOf(one) === value.in)
  if (kind === undefined) throw new Error(`unknown kind "${value.in}"`)
  return kind
}

function nameOf({ schema }: Kind): string {
  return schema.shape.in.value
}
