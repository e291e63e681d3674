import type { Effort } from '../../model/effort.ts'
import type { Node, Scope, Scopes, Write } from '../parse/scope.ts'
import { nodeAt } from '../parse/scope.ts'
import { isRequest, partOfAddress } from './http-clients.ts'
import {
  type Constant,
  type Exports,
  type Fields,
  type Frame,
  isCallable,
  isExports,
  isFields,
  isList,
  lookInto,
  makeList,
} from './value.ts'

/** Evaluates expressions of one script as far as they are constant. */
export interface Evaluator {
  /** @param at the names hold what was written before this place in the script */
  evaluate(node: Node | null | undefined, place: Place): Constant
  call(callee: Constant, args: readonly Constant[]): Constant
  /** Gives the value of a property of this name, where the script gives it one value only. */
  property(name: string): Constant
  /** Gives the value of a name before a place, by its writes. */
  written(name: string, writes: readonly Write[], start: number): Constant
  readonly scopeOf: Scopes['scopeOf']
  /** Effort left for the expression that is evaluated now. */
  readonly effort: Effort
  readonly running: Running
  /** State for following the calls of HTTP clients; `null` where none of their calls is looked for. */
  readonly following: Following | null
  /** Which branch of a condition is taken that is not known. */
  readonly branch: 'consequent' | 'alternate'
  /** Says whether that was asked. */
  hasChosen(): boolean
}

/** State for following the calls of HTTP clients through a script. */
export interface Following {
  readonly modules: Modules
  /** Known fields of every object of a class, by the class. */
  readonly objects: Map<Node, Fields>
  /** Values that `client.defaults.baseURL = …` has given the client of a name. */
  readonly defaults: ReadonlyMap<Scope | null, ReadonlyMap<string, Default>>
  /** Told each address that a client or a function puts together. */
  readonly met: (address: string) => void
  /** How many it was told. */
  readonly count: () => number
}

export interface Default {
  readonly value: Node
  readonly scope: Scope
}

/** The modules of a bundle that are functions in it: those of webpack, Rspack, Parcel, Browserify and Metro. */
export interface Modules {
  /** Gives the exports that a call of a module's own `require` returns; `null` for any other call. */
  required(call: Node, args: readonly Constant[], place: Place, evaluator: Evaluator): Exports | null
  /** Gives the exports behind a module's own parameter for them; `undefined` for any other name. */
  own(name: string, holder: Scope, evaluator: Evaluator): Exports | undefined
}

/** Progress of the functions and loops that run for an expression. */
export interface Running {
  /** By how much the texts and lists in their names became longer, as far as that is known. */
  grown: number
  /** As long as they have made nothing, so many steps have to be left; `null` before the first of them has begun. */
  leastSteps: number | null
  /** How many statements are run inside each other. */
  depth: number
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

/** Takes out of a value the part that a destructuring pattern picks. */
export function destructure(value: Constant, pick: string | number | undefined): Constant {
  if (pick === undefined) return value
  if (typeof pick === 'number')
    return isList(value) ? value[pick] : typeof value === 'string' ? value[pick] : undefined
  return isExports(value) ? value.exported(pick) : isFields(value) ? fieldOf(value, pick) : undefined
}

/** A field of an object. The methods of a client have its base. */
function fieldOf({ fields, base }: Fields, name: string): Constant {
  const own = fields.get(name)
  if (base === undefined || !isRequest(name) || (own !== undefined && base.isGuess === true)) return own
  return isCallable(own) ? { fields: new Map(), ...own, base } : { fields: new Map(), base }
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

/** The value of a property of a constant, or of a property that the script gives one value only. */
export function memberOf(object: Constant, name: string | number, evaluator: Evaluator): Constant {
  if (typeof object === 'string' || isList(object) || object instanceof Uint8Array) {
    const part =
      typeof object === 'string' && typeof name === 'string' ? partOfAddress(object, name) : undefined
    if (part !== undefined) return part
    if (name === 'length') return object.length
    if (typeof object === 'string') lookInto(object, evaluator.effort)
    const index =
      typeof name === 'number' ? name : /^(?:0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : undefined
    return index === undefined ? undefined : object[index]
  }
  const own = isExports(object)
    ? object.exported(String(name))
    : isFields(object)
      ? fieldOf(object, String(name))
      : undefined
  if (isCallable(own) && own.isGetter === true) return evaluator.call(own, [])
  return own ?? (typeof name === 'string' ? evaluator.property(name) : undefined)
}
