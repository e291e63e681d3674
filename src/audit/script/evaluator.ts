import type { Effort } from '../model/effort.ts'
import type { Node, Scope, Scopes, Write } from './scope.ts'
import { nodeAt } from './scope.ts'
import { type Constant, type Frame, isFields, isList, makeList } from './value.ts'

/** Evaluates expressions of one script as far as they are constant. */
export interface Evaluator {
  /** @param at the names hold what was written before this place in the script */
  evaluate(node: Node | null | undefined, place: Place): Constant
  call(callee: Constant, args: readonly Constant[]): Constant
  /** What a property of this name holds, where the script gives it one value only. */
  property(name: string): Constant
  /** What a name holds before a place, by the writes of it. */
  written(name: string, writes: readonly Write[], start: number): Constant
  readonly scopeOf: Scopes['scopeOf']
  /** What the expression may still cost that is evaluated now. */
  readonly effort: Effort
  readonly running: Running
}

/** What the functions and loops do that run for an expression. */
export interface Running {
  /** By how much the texts and lists in their names became longer, as far as that is known. */
  grown: number
  /** As long as they have made nothing, so many steps have to be left; `null` before the first of them has begun. */
  leastSteps: number | null
  /** Lists that were made by adding to others, and that no other value holds. */
  readonly growing: WeakSet<readonly Constant[]>
}

/** Characters and items, of which a key has no fewer. */
const leastGrown = 16
const stepsOfNothing = 1_000_000

/** Said when a function or a loop begins. */
export function beginRun({ running, effort }: Pick<Evaluator, 'running' | 'effort'>): void {
  running.leastSteps ??= effort.steps - stepsOfNothing
}

/** Functions that go on for long without making anything wait for something that is not known. */
export function isEndless({ running, effort }: Pick<Evaluator, 'running' | 'effort'>): boolean {
  return running.leastSteps !== null && effort.steps < running.leastSteps && running.grown < leastGrown
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
  const items: Constant[] = []
  makeList(nodes.length, evaluator.effort)
  for (const node of nodes) {
    if (node?.type !== 'SpreadElement') {
      items.push(evaluator.evaluate(node, place))
      continue
    }
    const spread = evaluator.evaluate(nodeAt(node, 'argument'), place)
    if (typeof spread === 'string' || isList(spread) || spread instanceof Uint8Array) {
      makeList(spread.length, evaluator.effort)
      for (const item of spread) items.push(item)
    } else items.push(undefined)
  }
  return items
}
