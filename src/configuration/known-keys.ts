import { z } from 'zod'
import { distance } from '../base/nearest-names.ts'
import type { KeyPath } from './path.ts'

/** Every key that the schema knows at a path, over all alternatives that may stand there. */
export function knownKeys(schema: z.core.$ZodType, path: KeyPath): string[] {
  const here = path.reduce<z.core.$ZodType[]>(
    (schemas, part) => schemas.flatMap((candidate) => below(candidate, part)),
    alternatives(schema),
  )
  const keys = here.flatMap((candidate) =>
    candidate instanceof z.ZodObject ? Object.keys(candidate.shape) : [],
  )
  return [...new Set(keys)]
}

/** The known key that is the least edits away, upper and lower case counted as one. */
export function nearest(key: string, known: readonly string[]): { key: string; edits: number } | undefined {
  return known
    .map((candidate) => ({ key: candidate, edits: distance(key.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits)[0]
}

function below(schema: z.core.$ZodType, part: string | number): z.core.$ZodType[] {
  if (schema instanceof z.ZodArray) return alternatives(schema.element)
  if (schema instanceof z.ZodRecord) return alternatives(schema.valueType)
  if (!(schema instanceof z.ZodObject)) return []
  const value: z.core.$ZodType | undefined = schema.shape[part]
  return value === undefined ? [] : alternatives(value)
}

/** Lists the schemas behind optional, default and union. */
function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives)
  if (
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return alternatives(schema.unwrap())
  return [schema]
}
