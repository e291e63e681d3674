import { mostInherited } from './budget.ts'
import type { Thing } from './values.ts'

/** Says whether an object has a property, or one that it inherits from. */
export function isInherited(object: Thing, name: string): boolean {
  for (let at: Thing | null = object, steps = 0; at !== null && steps < mostInherited; at = at.proto, steps++)
    if (at.fields.has(name) || at.accessors.has(name)) return true
  return false
}
