import { pay } from '../../model/effort.ts'
import { type Node, nodeAt } from '../parse/scope.ts'
import type { Place, Running } from './running.ts'
import { unknown, type Value } from './values.ts'

/** Gives the values of items or arguments, spread ones included. */
export function listOf(running: Running, nodes: readonly (Node | null)[], place: Place): Value[] {
  pay(running.effort, nodes.length, 8 * nodes.length)
  const items: Value[] = []
  for (const node of nodes)
    if (node?.type === 'SpreadElement') {
      const spread = running.iterate(running.value(nodeAt(node, 'argument'), place))
      pay(running.effort, spread?.length ?? 1, 8 * (spread?.length ?? 1))
      for (const item of spread ?? [unknown]) items.push(item)
    } else items.push(running.value(node, place))
  return items
}
