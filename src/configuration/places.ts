import { z } from 'zod'
import { type Place, places } from '../base/schema/leaves.ts'
import { configurationSchema } from './configuration.ts'
import { entriesOf, type KeyPath } from './path.ts'

/** Names of fields that identify a user: their values are no secrets. */
export const openFields: ReadonlySet<string> = new Set(['userId', 'name', 'userName', 'displayName', 'email'])

type Schemas = readonly z.core.$ZodType[]

/** Every key that the schema knows at a path, over all alternatives that may stand there. */
export function knownKeys(path: KeyPath): string[] {
  const keys = schemasAt(path).flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  )
  return [...new Set(keys)]
}

export function isCredential(path: KeyPath): boolean {
  return placeOf(schemasAt(path))?.takes === 'credential'
}

export function isFilePath(path: KeyPath): boolean {
  return placeOf(schemasAt(path))?.takes === 'path'
}

/** Says whether the value at this path, and each part of it, is hidden: a credential, or data for others. */
export function isHidden(path: KeyPath): boolean {
  return path.some((_, index) => {
    const place = placeOf(schemasAt(path.slice(0, index + 1)))
    return place !== undefined && place.takes !== 'path'
  })
}

export interface Hidden {
  readonly path: KeyPath
  readonly value: unknown
  readonly place: Exclude<Place, { takes: 'path' }>
}

/** Everything in a configuration, as it is written or resolved, that is a credential or data, with all below it. */
export function listHidden(
  value: unknown,
  schemas: Schemas = alternatives(configurationSchema),
  path: KeyPath = [],
  above?: Hidden['place'],
): Hidden[] {
  const own = placeOf(schemas) ?? above
  const place = own?.takes === 'path' ? undefined : own
  const inner =
    typeof value === 'object' && value !== null
      ? entriesOf(value).flatMap(([key, item]) =>
          listHidden(item, below(schemas, key), [...path, key], place),
        )
      : []
  return place === undefined ? inner : [{ path, value, place }, ...inner]
}

function placeOf(schemas: Schemas): Place | undefined {
  return schemas.map((schema) => places.get(schema)).find((place) => place !== undefined)
}

function schemasAt(path: KeyPath): Schemas {
  return path.reduce(below, alternatives(configurationSchema))
}

function below(schemas: Schemas, part: string | number): Schemas {
  return schemas.flatMap((schema) => {
    if (schema instanceof z.ZodArray) return alternatives(schema.element)
    if (schema instanceof z.ZodRecord) return alternatives(schema.valueType)
    if (!(schema instanceof z.ZodObject)) return []
    return alternatives(schema.shape[part] ?? schema.def.catchall)
  })
}

/** Lists a schema and those behind optional, default, transform and union. */
function alternatives(schema: z.core.$ZodType | undefined): Schemas {
  if (schema === undefined) return []
  return [schema, ...innerOf(schema).flatMap(alternatives)]
}

function innerOf(schema: z.core.$ZodType): Schemas {
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodPipe) return [schema.in]
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  return isWrapper ? [schema.unwrap()] : []
}
