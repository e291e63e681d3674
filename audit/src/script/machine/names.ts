import { type Node, nodeAt } from '../parse/scope.ts'
import type { Place, Running } from './running.ts'
import { nameOf } from './syntax.ts'
import { unknown } from './values.ts'

/** The name of a property. A private name gets a mark that no public name can have. */
export function keyOf(running: Running, member: Node, place: Place): string | null {
  const key = nodeAt(member, 'key')
  if (key === undefined) return null
  if (member['computed'] === true) {
    const name = running.value(key, place)
    return name === unknown ? null : running.textOf(name)
  }
  return nameOf(key)
}

export function nameOfMember(running: Running, node: Node, place: Place): string | null {
  const property = nodeAt(node, 'property')
  if (property === undefined) return null
  if (node['computed'] !== true) return nameOf(property)
  const name = running.value(property, place)
  return name === unknown ? null : running.textOf(name)
}
