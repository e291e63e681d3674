import { type Effort, pay } from '../../model/effort.ts'
import type { NodeIn } from '../evaluate/call-sites.ts'
import { isNode, type Node, nodeAt, nodesAt, type Scope, type Scopes } from '../parse/scope.ts'
import { createJoined, createParts, isLarge, type Parts, type Piece, touched } from './parts.ts'
import type { Bits, Seeds } from './seeds.ts'

/** How far the literals of a script reach that could be a part of what is looked for. */
export interface Reach {
  /** Gives the bits of an expression, with all that it holds. */
  of(node: Node): Bits
  /** The same of what a name holds. */
  ofName(scope: Scope, name: string): Bits
  /** Those expressions that pieces come together in. */
  readonly parts: Parts
}

/** Bits that may be in a value, and in the result of its call: in the text and in the held values. */
interface Load {
  readonly own: Bits
  readonly held: Bits
  readonly givenOwn: Bits
  readonly givenHeld: Bits
}

/** A name or a property: what it may hold, and where it is read. */
interface Held {
  /** Behind those of all nodes. */
  readonly index: number
  load: Load
  readonly uses: () => readonly number[]
}

const nothing: Load = { own: 0, held: 0, givenOwn: 0, givenHeld: 0 }

const mostLevels = 3
const longestTouched = 4_000

/** Steps to look at a node once. */
const stepsOfNode = 4

/** Methods whose result is no text, and no part of one. */
const answers =
  /^(?:startsWith|endsWith|includes|indexOf|lastIndexOf|search|test|has|hasOwnProperty|some|every|localeCompare|contains|equals)$/
const comparison = /^(?:[!=]==?|[<>]=?|in|instanceof)$/
/** Methods by which a list, a set or an object is given what it holds. */
const additions = /^(?:push|unshift|set|add|splice|append|fill)$/

/** Where bits are on their way through a script. */
interface Flow {
  readonly graph: Graph
  readonly scopes: Scopes
  readonly effort: Effort
  readonly loads: (Load | undefined)[]
  readonly names: Map<Scope, Map<string, Held>>
  readonly properties: Map<string, Held>
  /** Methods of classes, by their names; they are read from `this`. */
  readonly methods: Map<string, Held>
  /** Nodes with more bits than before. Names and properties follow when all nodes are settled. */
  readonly queue: number[]
  readonly changed: Set<Held>
  readonly joined: ReturnType<typeof createJoined>
  /** Index of the node, the name or the property that hands on what it may be. */
  source: number
  lastIndex: number
}

/**
 * Follows what literals contribute through expressions, names, properties and what functions give, wherever in the script
 * these are: what it does not reach is not worth evaluating. @throws OverEffort
 */
export function collectReach(tree: Node, scopes: Scopes, seeds: Seeds, effort: Effort): Reach {
  const graph = readGraph(tree, scopes, effort)
  const { nodes } = graph
  const flow: Flow = {
    graph,
    scopes,
    effort,
    loads: [],
    names: new Map(),
    properties: new Map(),
    methods: new Map(),
    queue: [],
    changed: new Set(),
    // Each node may add a name, and a property or a method.
    joined: createJoined(3 * nodes.length + 1),
    source: 0,
    lastIndex: nodes.length,
  }
  const pieces = plantSeeds(flow, seeds)
  do {
    for (let at = flow.queue.pop(); at !== undefined; at = flow.queue.pop()) {
      pay(effort, stepsOfNode)
      pass(flow, at)
    }
    passToUses(flow)
  } while (flow.queue.length > 0 || flow.changed.size > 0)
  const indexes = new Map<Node, number>()
  const bits = new Int32Array(nodes.length)
  for (const [at, load] of flow.loads.entries()) {
    if (load === undefined) continue
    bits[at] = sum(load)
    indexes.set(nodes[at] as Node, at)
  }
  return {
    parts: createParts({ nodes, indexes, bits, joined: flow.joined, pieces }, seeds),
    of: (node) => bits[indexes.get(node) ?? nodes.length] ?? 0,
    ofName: (scope, name) => sum(flow.names.get(scope)?.get(name)?.load ?? nothing),
  }
}

/** Puts the bits of the literals into the flow, and returns the pieces. */
function plantSeeds(flow: Flow, seeds: Seeds): Piece[] {
  const { nodes } = flow.graph
  const pieces: Piece[] = []
  for (let at = 0; at < nodes.length; at++) {
    const bits = seeds.ofNode(nodes[at] as Node)
    if (bits === 0) continue
    flow.source = at
    if (isLarge(bits)) touch(flow, at)
    if (!isMentionedAt(flow.graph, at) && !seeds.isComplete(nodes[at] as Node))
      pieces.push({ at, start: (nodes[at] as Node).start, bits })
    flowTo(flow, at, { ...nothing, own: bits })
  }
  return pieces
}

/** Marks functions and classes that hold a piece: their results are of interest, however the piece gets out. */
function touch(flow: Flow, from: number): void {
  const { nodes, parents } = flow.graph
  for (let at = parents[from] ?? -1, levels = 0; at !== -1 && levels < mostLevels; at = parents[at] ?? -1) {
    const node = nodes[at] as Node
    if (!/Function|^Class(?:Decl|Expr)/.test(node.type)) continue
    if (node.end - node.start > longestTouched) return
    levels += 1
    flowTo(flow, at, { ...nothing, own: touched, givenOwn: touched })
  }
}

/** Hands what names and properties may be to where they are read. */
function passToUses(flow: Flow): void {
  const settled = [...flow.changed]
  flow.changed.clear()
  for (const held of settled) {
    const { index, load, uses } = held
    flow.source = index
    pay(flow.effort, uses().length)
    for (const use of uses()) {
      const name = staticName(flow.graph.nodes[use] as Node)
      const isWhole = name === undefined || flow.methods.get(name) === held
      flowTo(flow, use, isWhole ? load : read(flow, name, flow.loads[use + 1] ?? nothing))
    }
  }
}

function flowTo({ joined, source, loads, queue }: Flow, at: number, more: Load): void {
  if (sum(more) !== 0) joined.join(source, at)
  const before = loads[at] ?? nothing
  const after = union(before, more)
  if (after === before) return
  loads[at] = after
  queue.push(at)
}

/** @returns whether that is more than before */
function flowInto({ joined, source, changed }: Flow, to: Held, more: Load): boolean {
  if (sum(more) !== 0) joined.join(source, to.index)
  const after = union(to.load, more)
  if (after === to.load) return false
  to.load = after
  changed.add(to)
  return true
}

function flowIntoName(flow: Flow, name: string, from: Scope, more: Load): boolean {
  const { graph, names, effort } = flow
  const holder = holderAt(name, from)
  if (holder === null) return false
  const own = names.get(holder) ?? new Map<string, Held>()
  names.set(holder, own)
  const uses = once(() => {
    const within = usesWithin(graph, name, holder.opener)
    pay(effort, within.length)
    return within.filter((use) => holderAt(name, graph.scopeAt[use] as Scope) === holder)
  })
  return flowInto(flow, heldBy(flow, own, name, uses), more)
}

function flowIntoProperty(flow: Flow, name: string, more: Load): void {
  const uses = () => flow.graph.members.get(name) ?? []
  flowInto(flow, heldBy(flow, flow.properties, name, uses), more)
}

function flowIntoMethod(flow: Flow, name: string, more: Load): void {
  const { nodes, members } = flow.graph
  const ofThis = (use: number) => /^(?:ThisExpression|Super)$/.test(nodes[use + 1]?.type ?? '')
  const uses = () => (members.get(name) ?? []).filter(ofThis)
  flowInto(flow, heldBy(flow, flow.methods, name, uses), more)
}

function heldBy(flow: Flow, some: Map<string, Held>, name: string, uses: Held['uses']): Held {
  const known = some.get(name)
  if (known !== undefined) return known
  flow.lastIndex += 1
  const made: Held = { index: flow.lastIndex, load: nothing, uses }
  some.set(name, made)
  return made
}

/** Loads a property. A name with a single value in the script has it in any object. */
function read({ properties, scopes, joined, source }: Flow, name: string, object: Load): Load {
  const property = properties.get(name)
  if (property === undefined) return nothing
  const isOne = scopes.properties.get(name)?.length === 1
  const load = isOne ? property.load : common(property.load, object.held)
  if (sum(load) !== 0) joined.join(source, property.index)
  return load
}

/** Gives the names of a pattern, or what an assignment is to, their value; without recursion, since patterns may be deep. */
function bind(flow: Flow, target: Node | undefined, scope: Scope, given: Load): void {
  const stack: Bound[] = [{ target, load: given }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.target === undefined) continue
    pay(flow.effort, 1)
    if (next.target.type === 'Identifier') flowIntoName(flow, String(next.target['name']), scope, next.load)
    else if (next.target.type === 'MemberExpression') bindMember(flow, next.target, scope, next.load)
    else for (const part of partsOf(next.target, next.load)) stack.push(part)
  }
}

function bindMember(flow: Flow, target: Node, scope: Scope, load: Load): void {
  const name = staticName(target)
  if (name !== undefined) flowIntoProperty(flow, name, load)
  const owners: NodeIn[] = []
  const own = (node: Node | null | undefined, from: Scope) => node && owners.push({ node, scope: from })
  own(nodeAt(target, 'object'), scope)
  for (let owner = owners.pop(); owner !== undefined; owner = owners.pop()) {
    const { node } = owner
    pay(flow.effort, 1)
    if (node.type === 'LogicalExpression' || node.type === 'AssignmentExpression')
      own(nodeAt(node, 'left'), owner.scope)
    if (node.type !== 'Identifier') continue
    const name = String(node['name'])
    if (flowIntoName(flow, name, owner.scope, held(load)))
      for (const same of otherNamesOf(flow, name, owner.scope)) own(same.node, same.scope)
  }
}

/**
 * Lists other names of an object that a name holds: what the name is given, and what a call gives it, where it is a parameter
 * of a function that is called where it is written. `(o => { o.key = … })(all ||= {})` and `(o = all ||= {}).key = …` change `all`.
 */
function otherNamesOf({ graph, effort }: Flow, name: string, from: Scope): NodeIn[] {
  const holder = holderAt(name, from)
  const writes = holder?.names.get(name) ?? []
  pay(effort, writes.length)
  const given = writes.slice(0, mostAliases).map(({ value, scope }): NodeIn => ({ node: value, scope }))
  const call = holder?.opener == null ? undefined : graph.calledHere.get(holder.opener)
  if (holder?.opener == null || call === undefined) return given
  const index = nodesAt(holder.opener, 'params').findIndex((parameter) => parameter?.['name'] === name)
  const argument = index === -1 ? null : nodesAt(call.node, 'arguments')[index]
  return argument == null ? given : [...given, { node: argument, scope: call.scope }]
}

const mostAliases = 64

/** A node that hands on what it may be, and what it is in. */
interface Passing {
  readonly node: Node
  readonly load: Load
  readonly scope: Scope
  readonly above: number
  readonly parent: Node
  readonly scopeAbove: Scope
}

/** Hands what a node may be to what it is in. */
function pass(flow: Flow, at: number): void {
  const { nodes, parents, scopeAt } = flow.graph
  flow.source = at
  const node = nodes[at] as Node
  const load = flow.loads[at] ?? nothing
  const scope = scopeAt[at] as Scope
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
    bind(flow, nodeAt(node, 'id'), scope, load)
  const above = parents[at] ?? -1
  if (above === -1) return
  const parent = nodes[above] as Node
  const passing = { node, load, scope, above, parent, scopeAbove: scopeAt[above] as Scope }
  passTo.get(parent.type)?.(flow, passing)
}

type Pass = (flow: Flow, passing: Passing) => void

const passAll: Pass = (flow, { above, load }) => flowTo(flow, above, load)

const passProperty: Pass = (flow, { above, parent, node, load }) => {
  const isValue = parent['value'] === node
  const name = staticKey(parent)
  if (isValue && name !== undefined)
    flowIntoProperty(flow, name, parent['kind'] === 'get' ? called(load) : ofExport(node, load))
  if (parent['shorthand'] !== true || isValue) flowTo(flow, above, held(load))
}

/** Bundlers make a getter of `{ name: () => value }`: reading it may give the value as well. */
function ofExport(value: Node, load: Load): Load {
  const isGiving = /^(?:Arrow)?FunctionExpression$/.test(value.type) && nodesAt(value, 'params').length === 0
  return isGiving ? union(load, called(load)) : load
}

/** Objects of a class have what the class above gives them. */
const passToClass: Pass = (flow, { above, parent, node, load }) => {
  if (parent['superClass'] === node) flowTo(flow, above, load)
}

const passToLoop: Pass = (flow, { parent, node, scope, load }) => {
  if (parent['right'] === node) bind(flow, loopTarget(parent), scope, whole(load))
}

/** By the type of what the node is in. */
const passTo: ReadonlyMap<string, Pass> = new Map(
  Object.entries<Pass>({
    BinaryExpression(flow, { above, parent, load }) {
      if (!comparison.test(String(parent['operator']))) flowTo(flow, above, text(load))
    },
    TemplateLiteral: (flow, { above, load }) => flowTo(flow, above, text(load)),
    TaggedTemplateExpression: (flow, { above, load }) => flowTo(flow, above, whole(load)),
    UnaryExpression(flow, { above, parent, load }) {
      if (/^[-+~]$/.test(String(parent['operator']))) flowTo(flow, above, text(load))
    },
    ConditionalExpression(flow, { above, parent, node, load }) {
      if (parent['test'] !== node) flowTo(flow, above, load)
    },
    SequenceExpression(flow, { above, parent, node, load }) {
      if (nodesAt(parent, 'expressions').at(-1) === node) flowTo(flow, above, load)
    },
    LogicalExpression: passAll,
    AwaitExpression: passAll,
    ParenthesizedExpression: passAll,
    ChainExpression: passAll,
    SpreadElement: passAll,
    ObjectExpression: passAll,
    AssignmentExpression(flow, { above, parent, node, scopeAbove, load }) {
      if (parent['right'] !== node) return
      flowTo(flow, above, load)
      bind(flow, nodeAt(parent, 'left'), scopeAbove, load)
    },
    AssignmentPattern(flow, { parent, node, scope, load }) {
      if (parent['right'] === node) bind(flow, nodeAt(parent, 'left'), scope, load)
    },
    VariableDeclarator(flow, { parent, node, scopeAbove, load }) {
      if (parent['init'] === node) bind(flow, nodeAt(parent, 'id'), scopeAbove, load)
    },
    ClassDeclaration: passToClass,
    ClassExpression: passToClass,
    ForOfStatement: passToLoop,
    ForInStatement: passToLoop,
    ArrayExpression: (flow, { above, load }) => flowTo(flow, above, held(load)),
    Property: passProperty,
    PropertyDefinition: passProperty,
    MethodDefinition(flow, { parent, node, load }) {
      const name = staticKey(parent)
      if (name !== undefined && parent['value'] === node)
        flowIntoMethod(flow, name, parent['kind'] === 'get' ? called(load) : load)
    },
    MemberExpression: passToMember,
    CallExpression: passToCall,
    NewExpression: passToCall,
    ReturnStatement: (flow, { above, load }) => passToFunction(flow, above, load),
    YieldExpression(flow, { above, load }) {
      passToFunction(flow, above, load)
      flowTo(flow, above, load)
    },
    ArrowFunctionExpression(flow, { above, parent, node, load }) {
      if (parent['body'] === node) flowTo(flow, above, given(load))
    },
  }),
)

function passToMember(flow: Flow, { above, parent: member, node, load }: Passing): void {
  const { nodes, parents } = flow.graph
  const name = staticName(member)
  const around = parents[above] ?? -1
  const call = around === -1 ? undefined : nodes[around]
  const isCalled = call !== undefined && isCall(call) && call['callee'] === member
  if (isCalled && node === member['object']) {
    // A method of a text or a list, or of what holds functions.
    if (name === undefined || !answers.test(name))
      flowTo(flow, around, whole({ ...load, givenOwn: 0, givenHeld: 0 }))
    if (/^(?:call|apply|bind)$/.test(name ?? '')) flowTo(flow, around, called(load))
    if (name === 'then') bindCallback(flow, call, around, load)
  }
  if (name === undefined) flowTo(flow, above, whole(load))
  else if (name !== 'length')
    flowTo(flow, above, union(read(flow, name, load), { ...nothing, own: load.own }))
}

/** Gives the function that waits for a promise the value that it is fulfilled with. */
function bindCallback(flow: Flow, call: Node, at: number, load: Load): void {
  const [callback] = nodesAt(call, 'arguments')
  if (callback == null || !/Function/.test(callback.type)) return
  const [parameter] = nodesAt(callback, 'params')
  bind(flow, parameter ?? undefined, flow.scopes.scopeOf(callback, flow.graph.scopeAt[at] as Scope), load)
}

function passToCall(flow: Flow, { above, parent: call, node, scopeAbove, load }: Passing): void {
  const callee = nodeAt(call, 'callee')
  if (callee === node) {
    // A function that another one has made gives what that was given.
    flowTo(flow, above, union(called(load), { ...nothing, own: load.own }))
    return
  }
  const name = callee === undefined ? undefined : staticName(callee)
  if (name !== undefined && answers.test(name)) return
  flowTo(flow, above, whole(load))
  if (name !== undefined && additions.test(name))
    bind(flow, nodeAt(callee as Node, 'object'), scopeAbove, held(load))
  const [first] = nodesAt(call, 'arguments')
  // `Object.assign(target, { … })`, and bundlers' definitions of exports.
  if (node.type === 'ObjectExpression' && first?.type === 'Identifier')
    bind(flow, first, scopeAbove, held(load))
  if (callee === undefined || !/Function/.test(callee.type)) return
  // A function that is called where it is written.
  const parameters = nodesAt(callee, 'params')
  const index = nodesAt(call, 'arguments').indexOf(node)
  const parameter =
    parameters[index] ?? (parameters.at(-1)?.type === 'RestElement' ? parameters.at(-1) : null)
  bind(flow, parameter ?? undefined, flow.scopes.scopeOf(callee, scopeAbove), load)
}

function passToFunction(flow: Flow, from: number, load: Load): void {
  const { nodes, parents } = flow.graph
  let at = from
  while (at !== -1 && !/Function/.test((nodes[at] as Node).type)) at = parents[at] ?? -1
  if (at !== -1) flowTo(flow, at, given(load))
}

function union(one: Load, other: Load): Load {
  const own = one.own | other.own
  const held = one.held | other.held
  const givenOwn = one.givenOwn | other.givenOwn
  const givenHeld = one.givenHeld | other.givenHeld
  const isSame =
    own === one.own && held === one.held && givenOwn === one.givenOwn && givenHeld === one.givenHeld
  return isSame ? one : { own, held, givenOwn, givenHeld }
}

function sum({ own, held, givenOwn, givenHeld }: Load): Bits {
  return own | held | givenOwn | givenHeld
}

/** As a text, to which what a list holds is added. */
function text({ own, held }: Load): Load {
  return { ...nothing, own: own | held }
}

/** A part of a pattern, and what it may hold. */
interface Bound {
  readonly target: Node | undefined
  readonly load: Load
}

/** Lists the parts right inside a pattern. */
function partsOf(pattern: Node, load: Load): Bound[] {
  switch (pattern.type) {
    case 'AssignmentPattern':
      return [{ target: nodeAt(pattern, 'left'), load }]
    case 'RestElement':
      return [{ target: nodeAt(pattern, 'argument'), load }]
    case 'ArrayPattern':
      return nodesAt(pattern, 'elements').map((element) => ({
        target: element ?? undefined,
        load: whole(load),
      }))
    case 'ObjectPattern':
      return nodesAt(pattern, 'properties').map((property) => ({
        target: property === null ? undefined : (nodeAt(property, 'value') ?? nodeAt(property, 'argument')),
        load: whole(load),
      }))
    default:
      return []
  }
}

/** Spreads a load: any part of the value may be anything in it. */
function whole(load: Load): Load {
  const bits = sum(load)
  return { own: bits, held: bits, givenOwn: load.givenOwn, givenHeld: load.givenHeld }
}

/** Keeps the bits of a load that an object holds. */
function common({ own, held, givenOwn, givenHeld }: Load, among: Bits): Load {
  return { own: own & among, held: held & among, givenOwn: givenOwn & among, givenHeld: givenHeld & among }
}

/** As what something else holds. */
function held(load: Load): Load {
  return { ...nothing, held: sum(load) }
}

/** As what a function gives. */
function given({ own, held, givenOwn, givenHeld }: Load): Load {
  return { ...nothing, givenOwn: own | givenOwn, givenHeld: held | givenHeld }
}

/** Gives the load of a call's result: perhaps another function. */
function called({ givenOwn, givenHeld }: Load): Load {
  return { own: givenOwn, held: givenHeld, givenOwn, givenHeld }
}

/** Says whether a literal is only compared with, as in a guard. */
function isMentionedAt({ nodes, parents }: Graph, at: number): boolean {
  const parent = nodes[parents[at] ?? -1]
  if (parent === undefined) return false
  if (parent.type === 'BinaryExpression') return comparison.test(String(parent['operator']))
  const callee = isCall(parent) ? nodeAt(parent, 'callee') : undefined
  return callee !== undefined && callee !== nodes[at] && answers.test(staticName(callee) ?? '')
}

function isCall({ type }: Node): boolean {
  return type === 'CallExpression' || type === 'NewExpression'
}

function staticName(member: Node): string | undefined {
  if (member.type !== 'MemberExpression') return undefined
  return staticKeyOf(nodeAt(member, 'property'), member['computed'] === true)
}

function staticKey(property: Node): string | undefined {
  return staticKeyOf(nodeAt(property, 'key'), property['computed'] === true)
}

function staticKeyOf(key: Node | undefined, isComputed: boolean): string | undefined {
  const name = isComputed ? key?.['value'] : (key?.['name'] ?? key?.['value'])
  return typeof name === 'string' ? name : undefined
}

function loopTarget(loop: Node): Node | undefined {
  const left = nodeAt(loop, 'left')
  const [declarator] = left?.type === 'VariableDeclaration' ? nodesAt(left, 'declarations') : []
  return declarator === undefined || declarator === null ? left : nodeAt(declarator, 'id')
}

function holderAt(name: string, scope: Scope): Scope | null {
  let at: Scope | null = scope
  while (at !== null && !at.names.has(name)) at = at.parent
  return at
}

/** Every node of a tree in its order, what it is in, and where names and properties are used. */
interface Graph {
  readonly nodes: readonly Node[]
  /** The index of what is around each; -1 of the tree itself. */
  readonly parents: readonly number[]
  readonly scopeAt: readonly Scope[]
  readonly uses: ReadonlyMap<string, readonly number[]>
  /** Members by a name that is written; the node that follows such a one is its object. */
  readonly members: ReadonlyMap<string, readonly number[]>
  /** Calls of functions where they are written, by these. */
  readonly calledHere: ReadonlyMap<Node, NodeIn>
}

function readGraph(tree: Node, scopes: Scopes, effort: Effort): Graph {
  const nodes: Node[] = []
  const parents: number[] = []
  const scopeAt: Scope[] = []
  const uses = new Map<string, number[]>()
  const members = new Map<string, number[]>()
  const calledHere = new Map<Node, NodeIn>()
  // Two lists instead of one of pairs: a large script has hundreds of thousands of nodes.
  const stack = [tree]
  const above = [-1]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const parent = above.pop() as number
    const at = nodes.length
    nodes.push(node)
    parents.push(parent)
    scopeAt.push(
      parent === -1 ? scopes.root : scopes.scopeOf(nodes[parent] as Node, scopeAt[parent] as Scope),
    )
    if (node.type === 'Identifier') add(uses, String(node['name']), at)
    else if (node.type === 'MemberExpression') add(members, staticName(node), at)
    else if (node.type === 'CallExpression') {
      const callee = nodeAt(node, 'callee')
      if (callee !== undefined && /Function/.test(callee.type))
        calledHere.set(callee, { node, scope: scopeAt[at] as Scope })
    }
    const from = stack.length
    for (const field in node) {
      const value = node[field]
      if (Array.isArray(value)) {
        for (const child of value as readonly unknown[]) if (isNode(child)) stack.push(child)
      } else if (isNode(value)) stack.push(value)
    }
    for (let index = from; index < stack.length; index++) above.push(at)
    for (let low = from, high = stack.length - 1; low < high; low++, high--) {
      const other = stack[low] as Node
      stack[low] = stack[high] as Node
      stack[high] = other
    }
  }
  pay(effort, nodes.length)
  return { nodes, parents, scopeAt, uses, members, calledHere }
}

function add(index: Map<string, number[]>, name: string | undefined, at: number): void {
  if (name === undefined) return
  const known = index.get(name)
  if (known === undefined) index.set(name, [at])
  else known.push(at)
}

/** The uses of a name in a block or function. */
function usesWithin({ nodes, uses }: Graph, name: string, opener: Node | null): readonly number[] {
  const all = uses.get(name) ?? []
  if (opener === null) return all
  const from = firstFrom(all, (at) => (nodes[at]?.start ?? 0) >= opener.start)
  const to = firstFrom(all, (at) => (nodes[at]?.start ?? 0) >= opener.end)
  return all.slice(from, to)
}

/** The index of the first that a condition is true of, which is true of all that follow. */
function firstFrom(items: readonly number[], isReached: (item: number) => boolean): number {
  let low = 0
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >>> 1
    if (isReached(items[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
