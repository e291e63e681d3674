import type { Node, Scope, Scopes } from './scope.ts'
import { nodeAt } from './scope.ts'
import { type Constant, type Frame, isFields, isList } from './value.ts'

/** Evaluates expressions of one script as far as they are constant. */
export interface Evaluator {
  /** @param at the names hold what was written before this place in the script */
  evaluate(node: Node | null | undefined, place: Place): Constant
  call(callee: Constant, args: readonly Constant[]): Constant
  /** What a property of this name holds, where the script gives it one value only. */
  property(name: string): Constant
  readonly scopeOf: Scopes['scopeOf']
  /** Counts a step of a running function. @returns false once there were too many */
  step(): boolean
}

export interface Place {
  readonly scope: Scope
  /** `null` outside running functions. */
  readonly frame: Frame | null
}

/** What a destructuring pattern takes out of a value. */
export function destructure(value: Constant, pick: string | number | undefined): Constant {
  if (pick === undefined) return value
  if (typeof pick === 'number')
    return isList(value) ? value[pick] : typeof value === 'string' ? value[pick] : undefined
  return isFields(value) ? value.fields.get(pick) : undefined
}

/** The items of an array or of arguments, with what is spread into them. */
export function spreadItems(nodes: readonly (Node | null)[], place: Place, evaluator: Evaluator): Constant[] {
  return nodes.flatMap((node): readonly Constant[] => {
    if (node?.type !== 'SpreadElement') return [evaluator.evaluate(node, place)]
    const spread = evaluator.evaluate(nodeAt(node, 'argument'), place)
    if (typeof spread === 'string') return [...spread]
    return isList(spread) || spread instanceof Uint8Array ? [...spread] : [undefined]
  })
}
