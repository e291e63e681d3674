import { type Effort, giveUp, OverEffort, pay } from '../../model/effort.ts'
import { hole } from '../../model/mint-call.ts'
import { holderOf, type Node, nodeAt, nodesAt, type Scopes, type Write } from '../parse/scope.ts'
import { evaluateCall } from './calls.ts'
import { destructure, type Evaluator, isEndless, memberOf, type Place, spreadItems } from './evaluator.ts'
import { anyObject, frameOf, thisOf } from './objects.ts'
import { arithmetic, assigned, concatenated, logical, sum, unary } from './operators.ts'
import { count, runBody, runLoop } from './run.ts'
import { createCalls } from './running-calls.ts'
import {
  type Constant,
  type Fields,
  isCallable,
  isFields,
  isList,
  lengthOf,
  makeList,
  makeText,
  textOf,
  truth,
} from './value.ts'

const deepest = 150
/** Steps to look at one node, and to call a function. */
const stepsOfNode = 4
const stepsOfCall = 24

/** In the place of the value of an expression that is being evaluated. */
const inProgress = Symbol('in progress')

/** Limits for the cost of evaluating the expressions of a script. */
export interface Costs {
  /** Effort for all values that are kept. */
  readonly script: Effort
  /** Effort for the expression that is evaluated now. */
  readonly expression: Effort
  /** Steps after which an expression without a result is not tried again. */
  readonly muchSteps: number
}

/** An evaluator while it evaluates. */
interface State {
  readonly effort: Effort
  readonly muchSteps: number
  readonly tooDeep: () => void
  readonly known: Map<Node, Constant | typeof inProgress>
  readonly keep: Keep
  readonly calls: ReturnType<typeof createCalls>
  depth: number
  /** Depth around the expression: of the names and calls that have led to it. */
  outerDepth: number
  givenUp: number
}

/**
 * Evaluates each expression of a script once.
 * @param tooDeep called where an expression is given up because of its depth
 */
export function createEvaluator(
  scopes: Scopes,
  { script, expression: effort, muchSteps }: Costs,
  tooDeep: () => void,
  { following = null, branch = 'consequent' }: Partial<Pick<Evaluator, 'following' | 'branch'>> = {},
): Evaluator {
  const keep = createKeeper(script)
  const counters = { depth: 0, outerDepth: 0, givenUp: 0 }
  const calls = createCalls(keep)
  const state: State = { effort, muchSteps, tooDeep, known: new Map(), keep, calls, ...counters }
  const histories = new Map<readonly Write[], History>()
  const tried = <T>(read: () => T, onCost: () => void) => tryOnce(state, read, onCost)
  let hasChosen = false
  const evaluator: Evaluator = {
    evaluate: (node, place) => evaluate(state, node, place, evaluator),
    scopeOf: scopes.scopeOf,
    effort,
    running: { grown: 0, leastSteps: null, depth: 0, growing: new WeakSet() },
    following,
    get branch() {
      hasChosen = true
      return branch
    },
    hasChosen: () => hasChosen,
    call: (callee, args) => callOnce(state, callee, args, evaluator),
    property(name) {
      const writes = scopes.properties.get(name)
      const only = writes?.length === 1 && !scopes.methods.has(name) ? writes[0] : undefined
      if (only === undefined) return undefined
      const place = { scope: only.scope, frame: null }
      return elsewhere(state, () => evaluator.evaluate(only.value, place))
    },
    written(name, writes, start) {
      const history = histories.get(writes) ?? createHistory({ name, writes, evaluator, keep, tried })
      histories.set(writes, history)
      return elsewhere(state, () => history(Math.max(1, countBefore(writes, start))))
    },
  }
  return evaluator
}

function isTooDeep(state: State): boolean {
  const { depth, outerDepth, tooDeep } = state
  if (depth <= deepest) return false
  state.givenUp += 1
  // A chain of names or of calls has no end as far as can be told: it is not reported.
  if (depth - outerDepth > deepest) tooDeep()
  return true
}

/** Reads something that is elsewhere in the script. */
function elsewhere<T>(state: State, read: () => T): T {
  const before = state.outerDepth
  state.outerDepth = state.depth
  try {
    return read()
  } finally {
    state.outerDepth = before
  }
}

/** Remembers that something costs too much, so that it is tried once. */
function tryOnce<T>({ effort, muchSteps }: State, read: () => T, onCost: () => void): T {
  const before = effort.steps
  try {
    return read()
  } catch (error) {
    if (error instanceof OverEffort && before - effort.steps >= muchSteps) onCost()
    throw error
  }
}

function evaluate(state: State, node: Node | null | undefined, place: Place, evaluator: Evaluator): Constant {
  const { effort, known, keep } = state
  if (node === null || node === undefined) return undefined
  if (node.type === 'Literal') return literal(node, effort)
  if (place.frame !== null) return evaluateInFrame(state, node, place, evaluator)
  const before = known.get(node)
  if (before === inProgress) return undefined
  if (before !== undefined || known.has(node)) return before
  if (isTooDeep(state)) return undefined
  pay(effort, stepsOfNode)
  known.set(node, inProgress)
  state.depth += 1
  try {
    const value = tryOnce(
      state,
      () => keep(evaluateNode(node, place, evaluator)),
      () => known.set(node, undefined),
    )
    known.set(node, value)
    return value
  } finally {
    state.depth -= 1
    if (known.get(node) === inProgress) known.delete(node)
  }
}

/** Evaluates within a function that runs: an expression may have another value each time. */
function evaluateInFrame(state: State, node: Node, place: Place, evaluator: Evaluator): Constant {
  const { following } = evaluator
  if (isTooDeep(state)) return undefined
  if (isEndless(evaluator)) giveUp(state.effort)
  pay(state.effort, stepsOfNode)
  state.depth += 1
  try {
    const value = evaluateNode(node, place, evaluator)
    if (following !== null && isComposed(node) && typeof value === 'string') following.met(value)
    return value
  } finally {
    state.depth -= 1
  }
}

function callOnce(state: State, callee: Constant, args: readonly Constant[], evaluator: Evaluator): Constant {
  const { calls, effort } = state
  if (!isCallable(callee) || calls.isEndless(callee, args)) return undefined
  const before = calls.known(callee, args)
  if (before !== null) return before.value
  if (isTooDeep(state)) return undefined
  pay(effort, stepsOfCall + args.length)
  const lost = state.givenUp
  state.depth += 1
  calls.begin(callee, args)
  try {
    const value = tryOnce(
      state,
      () => elsewhere(state, () => runBody(callee, args, evaluator)),
      () => calls.remember(callee, args, undefined),
    )
    if (isList(value)) evaluator.running.growing.delete(value)
    if (state.givenUp === lost) calls.remember(callee, args, value)
    return value
  } finally {
    state.depth -= 1
    calls.end()
  }
}

type Keep = (value: Constant) => Constant

const shortText = 64
const bytesCompared = 64

/** Counts values that are remembered, each of them once, and keeps one of long texts that are alike. */
function createKeeper(script: Effort): Keep {
  const kept = new Map<Constant, Constant>()
  return (value) => {
    const size =
      typeof value === 'string'
        ? value.length * 2
        : isFields(value)
          ? value.fields.size * bytesOfField
          : isList(value) || value instanceof Uint8Array
            ? lengthOf(value) * 8
            : 0
    if (size <= shortText) return value
    // Texts that are alike are told by all of their characters.
    pay(script, size / bytesCompared)
    const before = kept.get(value)
    if (before !== undefined) return before
    pay(script, 0, size)
    kept.set(value, value)
    return value
  }
}

/** Evaluates an expression; `undefined` where its value cannot be told. */
function evaluateNode(node: Node, place: Place, evaluator: Evaluator): Constant {
  const at = (field: string) => evaluator.evaluate(nodeAt(node, field), place)
  switch (node.type) {
    case 'TemplateLiteral':
      return evaluateTemplate(node, 'cooked', place, evaluator)
    case 'TaggedTemplateExpression':
      return evaluateTaggedTemplate(node, place, evaluator)
    case 'BinaryExpression':
      return evaluateSum(node, place, evaluator)
    case 'LogicalExpression':
      return logical(String(node['operator']), at('left'), () => at('right'))
    case 'ConditionalExpression': {
      const test = truth(at('test'))
      if (test !== undefined) return at(test ? 'consequent' : 'alternate')
      return evaluator.branch === 'alternate'
        ? (at('alternate') ?? at('consequent'))
        : (at('consequent') ?? at('alternate'))
    }
    case 'UpdateExpression':
      // Only what runs knows how often.
      return place.frame === null ? undefined : count(node, place, evaluator)
    case 'UnaryExpression':
      return unary(String(node['operator']), at('argument'), evaluator.effort)
    case 'SequenceExpression':
      return nodesAt(node, 'expressions')
        .map((part) => evaluator.evaluate(part, place))
        .at(-1)
    case 'ThisExpression':
      return thisOf(place.frame) ?? anyObject(place.scope, evaluator)
    case 'Identifier':
      return valueOfName(String(node['name']), node.start, place, evaluator)
    case 'ArrayExpression':
      return spreadItems(nodesAt(node, 'elements'), place, evaluator)
    case 'ObjectExpression':
      return objectOf(nodesAt(node, 'properties'), place, evaluator)
    case 'ClassDeclaration':
    case 'ClassExpression':
      return {
        ...objectOf(staticMembers(node), place, evaluator),
        made: evaluator.following === null ? undefined : { node, scope: place.scope, frame: place.frame },
      }
    case 'MemberExpression':
      return evaluateMember(node, place, evaluator)
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return at('expression')
    case 'AssignmentExpression':
      return assigned(String(node['operator']), at('left'), () => at('right'))
    case 'AwaitExpression':
    case 'YieldExpression':
      return at('argument')
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { callable: node, scope: place.scope, frame: place.frame }
    case 'CallExpression':
    case 'NewExpression':
      return evaluateCall(node, place, evaluator)
    default:
      return undefined
  }
}

function isComposed({ type }: Node): boolean {
  return type === 'BinaryExpression' || type === 'TemplateLiteral' || type === 'CallExpression'
}

function literal({ value }: Node, effort: Effort): Constant {
  pay(effort, 1)
  if (value instanceof RegExp) {
    pay(effort, value.source.length)
    return isCheap(value) ? value : undefined
  }
  return typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null
    ? value
    : undefined
}

/** A pattern that repeats nothing but its end, which no text makes slow, or the end of the text. */
function isCheap({ source }: RegExp): boolean {
  return /^(?:[^+*{(?\\]|\\.)*(?:\+?|[+*]\$)$/.test(source)
}

/** Gives the value of a name at a place of the script. */
function valueOfName(name: string, start: number, place: Place, evaluator: Evaluator): Constant {
  for (let frame = place.frame; frame !== null; frame = frame.parent)
    if (frame.values.has(name)) return frame.values.get(name)
  if (name === 'undefined') return null
  const holder = holderOf(name, place.scope, evaluator.effort)
  const writes = holder?.names.get(name)
  if (holder === null || writes === undefined) return undefined
  const own = writes.length === 0 ? evaluator.following?.modules.own(name, holder, evaluator) : undefined
  return own ?? evaluator.written(name, writes, start)
}

/** Gives the value of a name after so many of its writes. */
type History = (count: number) => Constant

interface Written {
  readonly name: string
  readonly writes: readonly Write[]
  readonly evaluator: Evaluator
  readonly keep: Keep
  readonly tried: <T>(read: () => T, onCost: () => void) => T
}

/** Remembers what a name holds after each write, so that a name that is written and read often costs no more. */
function createHistory({ name, writes, evaluator, keep, tried }: Written): History {
  const values: Constant[] = []
  const loops = new Set<Node>()
  let isRunning = false
  const after = (write: Write, value: Constant): Constant => {
    pay(evaluator.effort, stepsOfNode)
    if (write.loop !== null && writes.length > 1) {
      if (loops.has(write.loop)) return value
      const end = runLoop(write.loop, write.scope, name, value, evaluator)
      loops.add(write.loop)
      return end
    }
    const next = destructure(evaluator.evaluate(write.value, { scope: write.scope, frame: null }), write.pick)
    return write.isAddition ? sum(value, next, evaluator.effort) : next
  }
  return (count) => {
    // Asked for by one of the writes themselves: what that gives is not known yet.
    if (isRunning) return values[Math.min(count, values.length) - 1]
    isRunning = true
    try {
      for (const write of writes.slice(values.length, count))
        tried(
          () => values.push(keep(after(write, values.at(-1)))),
          () => values.push(undefined),
        )
    } finally {
      isRunning = false
    }
    return values[Math.min(count, writes.length) - 1]
  }
}

/** How many of the writes, which come in the order of their places, are before a place. */
function countBefore(writes: readonly Write[], start: number): number {
  let low = 0
  for (let high = writes.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((writes[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  // The place itself may be in the value that is written.
  while (low > 0 && (writes[low - 1]?.value.start ?? 0) >= start) low -= 1
  return low
}

/** The value of a property of a constant, or of a property that the script gives one value only. */
function evaluateMember(node: Node, place: Place, evaluator: Evaluator): Constant {
  const owner = nodeAt(node, 'object')
  const property = nodeAt(node, 'property')
  const name = node['computed'] === true ? evaluator.evaluate(property, place) : property?.['name']
  if (typeof name !== 'string' && typeof name !== 'number') return undefined
  return memberOf(evaluator.evaluate(owner, place), name, evaluator)
}

/** Steps to give an object a field. */
const stepsOfField = 4
const bytesOfField = 64

/** An object of properties, and of what is spread into it. */
function objectOf(properties: readonly (Node | null)[], place: Place, evaluator: Evaluator): Fields {
  const fields = new Map<string, Constant>()
  const object: Fields = { fields }
  const ofMethods = () => ({ scope: place.scope, frame: frameOf(object, place.frame) })
  for (const property of properties) {
    if (property?.type === 'SpreadElement') {
      const spread = evaluator.evaluate(nodeAt(property, 'argument'), place)
      if (!isFields(spread)) continue
      pay(evaluator.effort, stepsOfField * spread.fields.size, bytesOfField * spread.fields.size)
      for (const [name, value] of spread.fields) fields.set(name, value)
      continue
    }
    const key = property === null ? undefined : nodeAt(property, 'key')
    if (property === null || !/^Property(?:Definition)?$/.test(property.type) || key === undefined) continue
    const isPlain = property['computed'] !== true && key.type === 'Identifier'
    const name = isPlain ? String(key['name']) : textOf(evaluator.evaluate(key, place), evaluator.effort)
    if (name === undefined) continue
    pay(evaluator.effort, stepsOfField, bytesOfField)
    const value = nodeAt(property, 'value')
    const isGetter = property['kind'] === 'get'
    const isMethod = isGetter || (evaluator.following !== null && value?.type === 'FunctionExpression')
    const given = evaluator.evaluate(value, isMethod ? ofMethods() : place)
    fields.set(name, isGetter && isCallable(given) ? { ...given, isGetter } : given)
  }
  return object
}

/** The static fields of a class. */
function staticMembers(node: Node): (Node | null)[] {
  const body = nodeAt(node, 'body')
  return (body === undefined ? [] : nodesAt(body, 'body')).filter(
    (member) => member?.type === 'PropertyDefinition' && member['static'] === true,
  )
}

/** Long chains of `+` are walked along their left side, so that they do not exhaust the stack. */
function evaluateSum(node: Node, place: Place, evaluator: Evaluator): Constant {
  if (node['operator'] !== '+')
    return arithmetic(
      String(node['operator']),
      evaluator.evaluate(nodeAt(node, 'left'), place),
      evaluator.evaluate(nodeAt(node, 'right'), place),
      evaluator.effort,
    )
  const { effort } = evaluator
  const parts: Constant[] = []
  let left: Node | undefined = node
  while (left?.type === 'BinaryExpression' && left['operator'] === '+') {
    parts.push(evaluator.evaluate(nodeAt(left, 'right'), place))
    left = nodeAt(left, 'left')
  }
  parts.push(evaluator.evaluate(left, place))
  parts.reverse()
  if (!parts.some((part) => typeof part !== 'number'))
    return parts.reduce<Constant>((all, part) => sum(all, part, effort), 0)
  // An unknown part leaves a hole, where at least one other is a text.
  if (!parts.some((part) => typeof part === 'string' || isList(part))) return undefined
  return together(
    parts.map((part) => textOf(part, effort) ?? hole),
    evaluator,
  )
}

/** Number of parts above which one text is made at once. */
const fewParts = 8

function together(texts: readonly string[], { effort }: Evaluator): string {
  if (texts.length <= fewParts) return texts.reduce((before, text) => concatenated(before, text, effort), '')
  makeList(texts.length, effort)
  makeText(
    texts.reduce((sum, { length }) => sum + length, 0),
    effort,
  )
  return texts.join('')
}

/** With a hole for each part that is not known. */
function evaluateTemplate(node: Node, form: 'cooked' | 'raw', place: Place, evaluator: Evaluator): string {
  const parts = nodesAt(node, 'expressions').map(
    (part) => textOf(evaluator.evaluate(part, place), evaluator.effort) ?? hole,
  )
  return together(
    nodesAt(node, 'quasis').flatMap((quasi, index) => {
      const text = (quasi?.['value'] as Record<string, unknown> | undefined)?.[form]
      return [String(text ?? ''), parts[index] ?? '']
    }),
    evaluator,
  )
}

/** `String.raw`; other tags mostly give their text back as it is. */
function evaluateTaggedTemplate(node: Node, place: Place, evaluator: Evaluator): Constant {
  const quasi = nodeAt(node, 'quasi')
  const tag = nodeAt(node, 'tag')
  const isRaw = tag?.type === 'MemberExpression' && nodeAt(tag, 'property')?.['name'] === 'raw'
  return quasi === undefined ? undefined : evaluateTemplate(quasi, isRaw ? 'raw' : 'cooked', place, evaluator)
}
