import { type Effort, OverEffort, pay } from '../../model/effort.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { hoist, runAll, runBody } from './bodies.ts'
import { bytesOfCall, bytesOfThing, deepestCall, stepsOfCall } from './budget.ts'
import { Environment } from './environment.ts'
import { guarded } from './exceptions.ts'
import { evaluated } from './expressions.ts'
import { createNodeMeasure, favouriteOf } from './favourites.ts'
import { unknownArguments } from './functions.ts'
import { render } from './library/hooks.ts'
import type { Library, Machine } from './machine.ts'
import { iterate, memberOf, setMember, textOf } from './members.ts'
import type { Frame, Running, Watched, Way } from './running.ts'
import { runStatement } from './statements.ts'
import { isThing, prototypeOf, prototypesOf, Thing, unknown, type Value } from './values.ts'

const topFrame: Frame = { self: unknown, args: [], home: null, made: undefined, yielded: null }

/**
 * Makes what runs a script on what is known. What is not known stays so, and a condition that is not known is taken as
 * true, or as false in the other way. Of long bodies only the statements run that handle pieces, and what these read.
 */
export function createRunning(
  effort: Effort,
  watched: Watched,
  way: Way,
  createLibrary: (machine: Machine) => Library,
): Running {
  const running: Omit<Running, 'library'> & { library?: Library } = {
    effort,
    watched,
    way,
    closures: new Map(),
    entered: new Set(),
    hoisted: new Map(),
    depth: 0,
    hasChosen: false,
    evaluating: null,
    measure: createNodeMeasure(watched.measure, effort),
    favourite(values) {
      running.hasChosen = true
      return favouriteOf(values, watched.measure, effort)
    },
    value: (node, place) => evaluated(made, node, place),
    run: (statement, place) => runStatement(made, statement, place),
    runBody: (body, place) => runBody(made, body, place),
    runAll: (statements, place) => runAll(made, statements, place),
    textOf: (value) => textOf(value, made),
    iterate: (value) => iterate(value, made),
    member: (object, name) => memberOf(object, name, made, made.library),
    setMember: (object, name, value) => setMember(object, name, value, made),
    call: (callee, self, args) => deeper(made, callee, bytesOfCall, args, (call) => call(self, args)),
    construct: (callee, args) =>
      deeper(made, callee, bytesOfThing, args, (call, of) => constructed(made, call, of, args)),
    evaluate: (text) => evaluate(made, text),
  }
  const made = running as Running
  running.library = createLibrary(made)
  return made
}

type Call = NonNullable<Thing['call']>

/** Calls something as far down as calls may go. */
function deeper(
  running: Running,
  callee: Value,
  bytes: number,
  args: readonly Value[],
  run: (call: Call, callee: Thing) => Value,
): Value {
  if (!isThing(callee) || callee.call === null) return unknown
  pay(running.effort, stepsOfCall + args.length, bytes)
  if (running.depth >= deepestCall) return unknown
  running.depth += 1
  try {
    const result = run(callee.call, callee)
    render(result, running)
    return result
  } finally {
    running.depth -= 1
  }
}

function constructed({ library }: Running, call: Call, callee: Thing, args: readonly Value[]): Value {
  const made = new Thing(prototypeOf(callee))
  let root: Thing | null = callee
  while (root?.isClass === true) root = root.proto
  if (root !== callee && root !== null && library.typeOf(root) === 'Array') {
    const list: Value[] = []
    prototypesOf.set(list, made.proto ?? made)
    call(list, args, made)
    return list
  }
  const result = call(made, args, made)
  // A promise is what it is fulfilled with.
  if (callee.isArrow && typeof result === 'string') return result
  return result === undefined || result === null || typeof result !== 'object' ? made : result
}

/** Runs a text as a script, in the place of the `eval` that runs now. */
function evaluate(running: Running, text: string): Value {
  pay(running.effort, 6 * text.length)
  const tree = running.watched.parse(text)
  if (tree === null) return unknown
  const around = running.evaluating ?? { environment: new Environment(null, true), frame: topFrame }
  const place = { ...around, environment: new Environment(around.environment, false) }
  const statements = nodesAt(tree, 'body')
  hoist(running, statements, place)
  let last: Value
  for (const statement of statements) {
    if (statement?.type === 'ExpressionStatement')
      last = running.value(nodeAt(statement, 'expression'), place)
    else if (statement !== null) {
      const ending = running.run(statement, place)
      if (ending?.kind === 'return') return ending.value
    }
  }
  return last
}

/**
 * Runs the script, and then each function of interest that nothing has called, the last in the script first: it may call
 * those before it, which give other values from one call to the next.
 */
export function runScript(running: Running, tree: Node): void {
  const environment = new Environment(null, true)
  const ownerOf = createOwners(running)
  const { effort, closures, entered } = running
  const left: Node[] = []
  let known = 0
  const cut: (() => void)[] = []
  guarded(() => runBody(running, tree, { environment, frame: { ...topFrame, self: undefined } }))
  do {
    if (closures.size > known) {
      pay(effort, closures.size)
      left.push(...[...closures.keys()].slice(known).sort((a, b) => a.start - b.start))
      known = closures.size
    }
    const node = left.pop()
    const made = node === undefined || entered.has(node) ? undefined : closures.get(node)
    if (made === undefined) continue
    const call = () =>
      guarded(() => running.call(made.closure, ownerOf(made.closure.owner ?? made.home), unknownArguments))
    if (!inShare(effort, call)) cut.push(call)
  } while (left.length > 0 || closures.size > known)
  for (const call of cut) call()
}

/** One function that starts a whole framework leaves most of the effort to the others; what is left then is for it. */
const share = 8

/** @returns `false` where the share of what is left was not enough */
function inShare(effort: Effort, run: () => void): boolean {
  const kept = effort.steps * (1 - 1 / share)
  effort.steps -= kept
  try {
    run()
    return true
  } catch (error) {
    if (!(error instanceof OverEffort) || error.effort !== effort) throw error
    return false
  } finally {
    effort.steps += kept
  }
}

/** Makes a function that gives the `this` of a method that nothing calls. */
function createOwners(running: Running): (home: Thing | null) => Value {
  const owners = new Map<Thing, Value>()
  return (home) => {
    const made = home?.fields.get('constructor')
    if (home === null || !isThing(made as Value)) return home ?? unknown
    const known = owners.get(home)
    if (known !== undefined) return known
    const owner = running.construct(made as Value, [])
    owners.set(home, owner)
    return owner
  }
}
