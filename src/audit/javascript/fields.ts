import type { Folder, Place } from './folder.ts'
import { type Node, nodeAt, nodesAt } from './scope.ts'
import { type Constant, isFields, textOf } from './value.ts'

/** The fields that a property, or a spread object, adds. */
export function fieldsOf(property: Node | null, place: Place, folder: Folder): [string, Constant][] {
  if (property?.type === 'SpreadElement') {
    const spread = folder.evaluate(nodeAt(property, 'argument'), place)
    return isFields(spread) ? [...spread.fields] : []
  }
  const key = property === null ? undefined : nodeAt(property, 'key')
  if (property === null || !/^Property(?:Definition)?$/.test(property.type) || key === undefined) return []
  const isPlain = property['computed'] !== true && key.type === 'Identifier'
  const name = isPlain ? String(key['name']) : textOf(folder.evaluate(key, place))
  if (name === undefined) return []
  return [[name, folder.evaluate(nodeAt(property, 'value'), place)]]
}

/** The static fields of a class. */
export function staticFields(node: Node, place: Place, folder: Folder): [string, Constant][] {
  const body = nodeAt(node, 'body')
  return (body === undefined ? [] : nodesAt(body, 'body')).flatMap((member) =>
    member?.type === 'PropertyDefinition' && member['static'] === true ? fieldsOf(member, place, folder) : [],
  )
}
