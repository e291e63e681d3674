import { giveUp, pay } from '../../model/effort.ts'
import { hole } from '../../model/mint-call.ts'
import { type Node, nodeAt, nodesAt, type Scope } from '../parse/scope.ts'
import { beginRun, destructure, type Evaluator, type Place, spreadItems } from './evaluator.ts'
import { assignOwn } from './objects.ts'
import { arithmetic, sum } from './operators.ts'
import {
  type Callable,
  type Constant,
  changesIn,
  type Frame,
  isList,
  lookInto,
  makeList,
  truth,
} from './value.ts'

/** How a statement ended. */
type Ending = { readonly kind: 'next' | 'break' | 'continue' | 'return'; readonly value?: Constant }

const next: Ending = { kind: 'next' }

/** Steps to run a statement. */
const stepsOfStatement = 4

/** Runs a function of the script on constants; what it returns is `undefined` where that depends on anything else. */
export function runBody(
  { callable, scope, frame }: Callable,
  args: readonly Constant[],
  evaluator: Evaluator,
): Constant {
  beginRun(evaluator)
  const place = enter({ callable, scope, frame }, args, evaluator)
  const body = nodeAt(callable, 'body')
  if (body === undefined) return undefined
  if (body.type !== 'BlockStatement') return evaluator.evaluate(body, place)
  return run(body, place, evaluator).value
}

/** Where the names hold what they do inside of a function that is called and has run. */
export function placeInside(callee: Callable, args: readonly Constant[], evaluator: Evaluator): Place {
  beginRun(evaluator)
  const place = enter(callee, args, evaluator)
  const body = nodeAt(callee.callable, 'body')
  if (body?.type === 'BlockStatement') run(body, place, evaluator)
  return place
}

/** Gives the parameters of a function their values. */
function enter({ callable, scope, frame }: Callable, args: readonly Constant[], evaluator: Evaluator): Place {
  const own: Frame = { parent: frame, values: new Map(), changes: 0 }
  const place: Place = { scope: evaluator.scopeOf(callable, scope), frame: own }
  for (const [index, parameter] of nodesAt(callable, 'params').entries()) {
    if (parameter?.type === 'RestElement') {
      const rest = nodeAt(parameter, 'argument')
      makeList(args.length, evaluator.effort)
      if (rest !== undefined) bind(rest, args.slice(index), place, evaluator)
    } else if (parameter !== null) bind(parameter, args[index], place, evaluator)
  }
  return place
}

/** Runs a loop and gives the value of a name after it. */
export function runLoop(
  loop: Node,
  scope: Scope,
  name: string,
  value: Constant,
  evaluator: Evaluator,
): Constant {
  beginRun(evaluator)
  const frame: Frame = { parent: null, values: new Map([[name, value]]), changes: 0 }
  run(loop, { scope, frame }, evaluator)
  return frame.values.get(name)
}

/** A name or a pattern, and what it is given. */
interface Bound {
  readonly pattern: Node
  readonly value: Constant
}

/** Gives every name of a pattern its value; without recursion, since patterns may be deep. */
function bind(pattern: Node, value: Constant, place: Place, evaluator: Evaluator): void {
  const stack: Bound[] = [{ pattern, value }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    pay(evaluator.effort, stepsOfStatement)
    const { pattern: part, value: given } = next
    if (part.type === 'Identifier') write(place.frame, String(part['name']), given, evaluator)
    else if (part.type === 'AssignmentPattern') {
      const left = nodeAt(part, 'left')
      const value = given ?? evaluator.evaluate(nodeAt(part, 'right'), place)
      if (left !== undefined) stack.push({ pattern: left, value })
    } else for (const inner of partsOf(next).reverse()) stack.push(inner)
  }
}

/** Lists the parts right inside a pattern of a list or an object. */
function partsOf({ pattern, value }: Bound): Bound[] {
  if (pattern.type === 'ArrayPattern')
    return nodesAt(pattern, 'elements').flatMap((element, index) =>
      element === null ? [] : [{ pattern: element, value: destructure(value, index) }],
    )
  const properties = pattern.type === 'ObjectPattern' ? nodesAt(pattern, 'properties') : []
  return properties.flatMap((property) => {
    const key = property === null ? undefined : nodeAt(property, 'key')
    const inner = property === null ? undefined : nodeAt(property, 'value')
    return key === undefined || inner === undefined
      ? []
      : [{ pattern: inner, value: destructure(value, String(key['name'] ?? key['value'])) }]
  })
}

/** Statements in statements that are run: more of them would not fit onto the stack. */
const deepest = 500

function run(statement: Node, place: Place, evaluator: Evaluator): Ending {
  const { running, effort } = evaluator
  pay(effort, stepsOfStatement)
  if (running.depth > deepest) giveUp(effort)
  running.depth += 1
  try {
    return runOne(statement, place, evaluator)
  } finally {
    running.depth -= 1
  }
}

function runOne(statement: Node, place: Place, evaluator: Evaluator): Ending {
  switch (statement.type) {
    case 'BlockStatement':
      return runAll(nodesAt(statement, 'body'), place, evaluator)
    case 'ExpressionStatement':
      perform(nodeAt(statement, 'expression'), place, evaluator)
      return next
    case 'VariableDeclaration':
      for (const declarator of nodesAt(statement, 'declarations')) {
        const id = declarator === null ? undefined : nodeAt(declarator, 'id')
        const init = declarator === null ? undefined : nodeAt(declarator, 'init')
        if (id !== undefined) bind(id, evaluator.evaluate(init, place), place, evaluator)
      }
      return next
    case 'ReturnStatement':
      return { kind: 'return', value: evaluator.evaluate(nodeAt(statement, 'argument'), place) }
    case 'IfStatement': {
      const chosen = chosenBy(statement, place, evaluator)
      return chosen === undefined ? next : run(chosen, place, evaluator)
    }
    case 'SwitchStatement':
      return choose(statement, place, evaluator)
    case 'TryStatement': {
      const block = nodeAt(statement, 'block')
      return block === undefined ? next : run(block, place, evaluator)
    }
    case 'BreakStatement':
      return { kind: 'break' }
    case 'ContinueStatement':
      return { kind: 'continue' }
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return repeat(statement, place, evaluator)
    case 'ForOfStatement':
    case 'ForInStatement':
      return iterate(statement, place, evaluator)
    default:
      return next
  }
}

/** The statement that a condition chooses; one of many conditions, each in the `else` of the one before, is found in a loop. */
function chosenBy(condition: Node, place: Place, evaluator: Evaluator): Node | undefined {
  let chosen: Node | undefined = condition
  while (chosen?.type === 'IfStatement') {
    pay(evaluator.effort, stepsOfStatement)
    const holds = truth(evaluator.evaluate(nodeAt(chosen, 'test'), place))
    chosen = nodeAt(chosen, holds === false ? 'alternate' : 'consequent')
  }
  return chosen
}

function runAll(statements: readonly (Node | null)[], place: Place, evaluator: Evaluator): Ending {
  for (const statement of statements) {
    const ending = statement === null ? next : run(statement, place, evaluator)
    if (ending.kind !== 'next') return ending
  }
  return next
}

/** Runs the statements behind the fitting label, up to the first `break`. Obfuscators shuffle code so. */
function choose(statement: Node, place: Place, evaluator: Evaluator): Ending {
  const value = evaluator.evaluate(nodeAt(statement, 'discriminant'), place)
  if (value === undefined) return next
  const cases = nodesAt(statement, 'cases').filter((one) => one !== null)
  const labels = cases.map((one) => nodeAt(one, 'test'))
  const fitting = labels.findIndex(
    (label) => label !== undefined && evaluator.evaluate(label, place) === value,
  )
  const first = fitting === -1 ? labels.indexOf(undefined) : fitting
  for (const one of first === -1 ? [] : cases.slice(first)) {
    const ending = runAll(nodesAt(one, 'consequent'), place, evaluator)
    if (ending.kind !== 'next') return ending.kind === 'break' ? next : ending
  }
  return next
}

function repeat(loop: Node, place: Place, evaluator: Evaluator): Ending {
  const init = nodeAt(loop, 'init')
  if (init?.type === 'VariableDeclaration') run(init, place, evaluator)
  else perform(init, place, evaluator)
  const body = nodeAt(loop, 'body')
  const test = nodeAt(loop, 'test')
  for (let isFirst = true; ; isFirst = false) {
    pay(evaluator.effort, stepsOfStatement)
    const before = changesIn(place.frame)
    const isFree = loop.type === 'DoWhileStatement' && isFirst
    if (!isFree && test !== undefined && truth(evaluator.evaluate(test, place)) !== true) return next
    const ending = body === undefined ? next : run(body, place, evaluator)
    if (ending.kind === 'return') return ending
    if (ending.kind === 'break') return next
    perform(nodeAt(loop, 'update'), place, evaluator)
    // Stops when a pass changes nothing: only something unknown can end the loop.
    if (changesIn(place.frame) === before) return { kind: 'return' }
  }
}

function iterate(loop: Node, place: Place, evaluator: Evaluator): Ending {
  const right = evaluator.evaluate(nodeAt(loop, 'right'), place)
  if (typeof right !== 'string' && !isList(right) && !(right instanceof Uint8Array)) return next
  const isKeys = loop.type === 'ForInStatement'
  const left = nodeAt(loop, 'left')
  const [declarator] = left?.type === 'VariableDeclaration' ? nodesAt(left, 'declarations') : []
  const target = declarator === undefined || declarator === null ? left : nodeAt(declarator, 'id')
  const body = nodeAt(loop, 'body')
  let index = 0
  for (const item of right) {
    pay(evaluator.effort, stepsOfStatement)
    if (target !== undefined) bind(target, isKeys ? String(index) : item, place, evaluator)
    const ending = body === undefined ? next : run(body, place, evaluator)
    if (ending.kind === 'return') return ending
    if (ending.kind === 'break') break
    index += 1
  }
  return next
}

/** An expression for what it changes. */
function perform(expression: Node | undefined, place: Place, evaluator: Evaluator): void {
  if (expression === undefined) return
  if (expression.type === 'SequenceExpression') {
    for (const part of nodesAt(expression, 'expressions')) perform(part ?? undefined, place, evaluator)
    return
  }
  const target = nodeAt(expression, expression.type === 'UpdateExpression' ? 'argument' : 'left')
  if (expression.type === 'UpdateExpression') count(expression, place, evaluator)
  else if (expression.type === 'AssignmentExpression' && target?.type === 'Identifier') {
    const operator = String(expression['operator'])
    const right = evaluator.evaluate(nodeAt(expression, 'right'), place)
    const before = operator === '=' ? undefined : evaluator.evaluate(target, place)
    const value =
      operator === '='
        ? right
        : operator === '+='
          ? sum(before, right, evaluator.effort)
          : arithmetic(operator.slice(0, -1), before, right, evaluator.effort)
    set(String(target['name']), value, place, evaluator)
  } else if (evaluator.following !== null && isOwnField(expression, target))
    assignOwn(
      String(nodeAt(target, 'property')?.['name']),
      evaluator.evaluate(nodeAt(expression, 'right'), place),
      place.frame,
      evaluator,
    )
  else if (expression.type === 'CallExpression') append(expression, place, evaluator)
  // A call whose result a function does not use may be a request.
  if (evaluator.following !== null && !/^(?:Assignment|Update)/.test(expression.type))
    evaluator.evaluate(expression, place)
}

/** `name++` and the like. @returns what the expression comes to */
export function count(expression: Node, place: Place, evaluator: Evaluator): Constant {
  const target = nodeAt(expression, 'argument')
  if (target?.type !== 'Identifier') return undefined
  const before = evaluator.evaluate(target, place)
  const after = typeof before === 'number' ? before + (expression['operator'] === '++' ? 1 : -1) : undefined
  set(String(target['name']), after, place, evaluator)
  return expression['prefix'] === true ? after : before
}

/** `this.name = …` */
function isOwnField({ type, operator }: Node, target: Node | undefined): target is Node {
  const isAssigned =
    type === 'AssignmentExpression' && operator === '=' && target?.type === 'MemberExpression'
  return isAssigned && target['computed'] !== true && nodeAt(target, 'object')?.type === 'ThisExpression'
}

/** `list.push(…)` on a list that the function itself made. */
function append(call: Node, place: Place, evaluator: Evaluator): void {
  const callee = nodeAt(call, 'callee')
  const list = callee === undefined ? undefined : nodeAt(callee, 'object')
  const method = callee === undefined ? undefined : nodeAt(callee, 'property')?.['name']
  if (list?.type !== 'Identifier' || (method !== 'push' && method !== 'unshift')) return
  const value = evaluator.evaluate(list, place)
  if (!isList(value)) return
  const { effort, running } = evaluator
  const added = spreadItems(nodesAt(call, 'arguments'), place, evaluator)
  running.grown += added.filter((item) => item !== undefined).length
  const isOwn = running.growing.has(value)
  makeList(isOwn && method === 'push' ? added.length : value.length + added.length, effort)
  // A list that was added to before is no other's: adding to it again need not copy it.
  const longer = isOwn ? (value as Constant[]) : [...value]
  running.growing.add(longer)
  if (method === 'push') for (const item of added) longer.push(item)
  else longer.unshift(...added)
  set(String(list['name']), longer, place, evaluator)
  if (place.frame !== null && added.length > 0) place.frame.changes += 1
}

function set(name: string, value: Constant, { frame }: Place, evaluator: Evaluator): void {
  let at = frame
  while (at !== null && !at.values.has(name)) at = at.parent
  write(at ?? frame, name, value, evaluator)
}

/** Then it need not be looked at any more. */
const enough = 1_000

function lengthOfText(value: Constant): number {
  return typeof value === 'string' ? value.length : 0
}

/** Texts as short as this are compared, to see whether anything changes. */
const shortText = 64

function write(frame: Frame | null, name: string, value: Constant, { running, effort }: Evaluator): void {
  if (frame === null) return
  const before = frame.values.get(name)
  const growth = lengthOfText(value) - lengthOfText(before)
  if (typeof value === 'string' && growth > 0 && running.grown < enough) {
    lookInto(value, effort)
    // An unknown value makes no text known that it is added to.
    if (!value.endsWith(hole)) running.grown += growth
  }
  const isLong = typeof value === 'string' && value.length > shortText
  if (isLong || !frame.values.has(name) || !Object.is(before, value)) frame.changes += 1
  frame.values.set(name, value)
}
