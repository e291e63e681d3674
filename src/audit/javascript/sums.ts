import { hole } from '../mint-call.ts'
import type { Folder, Place } from './folder.ts'
import { arithmetic, sum } from './operators.ts'
import { type Node, nodeAt } from './scope.ts'
import { type Constant, isList, textOf } from './value.ts'

/** Long chains of `+` are walked along their left side, so that they do not exhaust the stack. */
export function sumOf(node: Node, place: Place, folder: Folder): Constant {
  if (node['operator'] !== '+')
    return arithmetic(
      String(node['operator']),
      folder.evaluate(nodeAt(node, 'left'), place),
      folder.evaluate(nodeAt(node, 'right'), place),
    )
  const parts: Constant[] = []
  let left: Node | undefined = node
  while (left?.type === 'BinaryExpression' && left['operator'] === '+') {
    parts.push(folder.evaluate(nodeAt(left, 'right'), place))
    left = nodeAt(left, 'left')
  }
  parts.push(folder.evaluate(left, place))
  parts.reverse()
  if (!parts.some((part) => typeof part !== 'number'))
    return parts.reduce<Constant>((all, part) => sum(all, part), 0)
  // An unknown part leaves a hole, where at least one other is a text.
  return parts.some((part) => typeof part === 'string' || isList(part))
    ? parts.map((part) => textOf(part) ?? hole).join('')
    : undefined
}
