import { hole } from '../mint-call.ts'
import type { Folder, Place } from './folder.ts'
import { type Node, nodeAt, nodesAt } from './scope.ts'
import { type Constant, textOf } from './value.ts'

/** With a hole for each part that is not known. */
export function templateText(node: Node, form: 'cooked' | 'raw', place: Place, folder: Folder): string {
  const parts = nodesAt(node, 'expressions').map((part) => textOf(folder.evaluate(part, place)) ?? hole)
  return nodesAt(node, 'quasis')
    .map((quasi, index) => {
      const text = (quasi?.['value'] as Record<string, unknown> | undefined)?.[form]
      return String(text ?? '') + (parts[index] ?? '')
    })
    .join('')
}

/** `String.raw`; other tags mostly give their text back as it is. */
export function taggedText(node: Node, place: Place, folder: Folder): Constant {
  const quasi = nodeAt(node, 'quasi')
  const tag = nodeAt(node, 'tag')
  const isRaw = tag?.type === 'MemberExpression' && nodeAt(tag, 'property')?.['name'] === 'raw'
  return quasi === undefined ? undefined : templateText(quasi, isRaw ? 'raw' : 'cooked', place, folder)
}
