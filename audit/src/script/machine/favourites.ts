import type { Effort } from '../../model/effort.ts'
import { pay } from '../../model/effort.ts'
import { isNode, type Node } from '../parse/scope.ts'
import { isThing, unknown, type Value } from './values.ts'

/** How much of the prefix a text is or holds. */
export type Measure = (text: string) => number

export function measureBy(prefix: string): Measure {
  return (text) => {
    if (text.includes(prefix)) return prefix.length
    return text.length > 1 && prefix.includes(text) ? text.length : 0
  }
}

/** Longer ones are no alternatives of a condition that picks a text. */
const longest = 4096

/** Makes a measure of the literals in a part of a script. */
export function createNodeMeasure(measure: Measure, effort: Effort): (node: Node | undefined) => number {
  const known = new Map<Node, number>()
  return (node) => {
    if (node === undefined || node.end - node.start > longest) return 0
    const before = known.get(node)
    if (before !== undefined) return before
    let most = 0
    const left: unknown[] = [node]
    while (left.length > 0) {
      const part = left.pop()
      if (Array.isArray(part)) left.push(...part)
      else if (isNode(part)) {
        pay(effort, 1)
        most = Math.max(most, measure(textOf(part)))
        left.push(...Object.values(part))
      }
    }
    known.set(node, most)
    return most
  }
}

function textOf(node: Node): string {
  const { value } = node as { value?: unknown }
  if (node.type === 'TemplateElement')
    return String((value as { cooked?: unknown } | undefined)?.cooked ?? '')
  return node.type === 'Literal' && typeof value === 'string' ? value : ''
}

const [mostValues, deepest] = [64, 2]

/** The value with most of the prefix, of those that a name picks which is not known; unknown where none has any. */
export function favouriteOf(values: Iterable<Value>, measure: Measure, effort: Effort): Value {
  let best: Value = unknown
  let most = 0
  let count = 0
  for (const value of values) {
    if (++count > mostValues) break
    const found = measured(value, measure, effort, deepest)
    if (found <= most) continue
    most = found
    best = value
  }
  return best
}

function measured(value: Value, measure: Measure, effort: Effort, depth: number): number {
  pay(effort, 1)
  if (typeof value === 'string') return measure(value)
  const inner = Array.isArray(value) ? value : isThing(value) ? value.fields.values() : []
  let most = 0
  let count = 0
  if (depth > 0)
    for (const one of inner) {
      if (++count > mostValues) break
      most = Math.max(most, measured(one, measure, effort, depth - 1))
    }
  return most
}
