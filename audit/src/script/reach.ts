import { type Effort, pay } from '../model/effort.ts'
import { createJoined, createParts, isLarge, type Parts, type Piece } from './parts.ts'
import { isNode, type Node, nodeAt, nodesAt, type Scope, type Scopes } from './scope.ts'
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

/** Marks a function or a class with a piece of a key in it. */
const touched: Bits = 1 << 30
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

/**
 * Follows what literals contribute through expressions, names, properties and what functions give, wherever in the script
 * these are: what it does not reach is not worth evaluating. @throws OverEffort
 */
export function collectReach(tree: Node, scopes: Scopes, seeds: Seeds, effort: Effort): Reach {
  const graph = readGraph(tree, scopes, effort)
  const { nodes, parents, scopeAt } = graph
  const loads: (Load | undefined)[] = []
  const names = new Map<Scope, Map<string, Held>>()
  const properties = new Map<string, Held>()
  /** Methods of classes, by their names; they are read from `this`. */
  const methods = new Map<string, Held>()
  /** Nodes with more bits than before. Names and properties follow when all nodes are settled. */
  const queue: number[] = []
  const changed = new Set<Held>()

  // Each node may add a name, and a property or a method.
  const joined = createJoined(3 * nodes.length + 1)
  /** Index of the node, the name or the property that hands on what it may be. */
  let source = 0
  let lastIndex = nodes.length
  const flow = (at: number, more: Load) => {
    if (sum(more) !== 0) joined.join(source, at)
    const before = loads[at] ?? nothing
    const after = union(before, more)
    if (after === before) return
    loads[at] = after
    queue.push(at)
  }
  const flowInto = (to: Held, more: Load) => {
    if (sum(more) !== 0) joined.join(source, to.index)
    const after = union(to.load, more)
    if (after === to.load) return
    to.load = after
    changed.add(to)
  }
  const flowIntoName = (name: string, from: Scope, more: Load) => {
    const holder = holderAt(name, from)
    if (holder === null) return
    const own = names.get(holder) ?? new Map<string, Held>()
    names.set(holder, own)
    const uses = once(() => {
      const within = usesWithin(graph, name, holder.opener)
      pay(effort, within.length)
      return within.filter((use) => holderAt(name, scopeAt[use] as Scope) === holder)
    })
    const held = own.get(name) ?? { index: ++lastIndex, load: nothing, uses }
    own.set(name, held)
    flowInto(held, more)
  }
  const flowIntoProperty = (name: string, more: Load) => {
    const held = properties.get(name) ?? {
      index: ++lastIndex,
      load: nothing,
      uses: () => graph.members.get(name) ?? [],
    }
    properties.set(name, held)
    flowInto(held, more)
  }
  const flowIntoMethod = (name: string, more: Load) => {
    const ofThis = (use: number) => /^(?:ThisExpression|Super)$/.test(nodes[use + 1]?.type ?? '')
    const uses = () => (graph.members.get(name) ?? []).filter(ofThis)
    const held = methods.get(name) ?? { index: ++lastIndex, load: nothing, uses }
    methods.set(name, held)
    flowInto(held, more)
  }
  /** Gives the load of a property: of any object where the name has one value, else of one that holds it. */
  const read = (name: string, object: Load): Load => {
    const property = properties.get(name)
    if (property === undefined) return nothing
    const isOne = scopes.properties.get(name)?.length === 1
    const load = isOne ? property.load : common(property.load, object.held)
    if (sum(load) !== 0) joined.join(source, property.index)
    return load
  }
  /** Gives the names of a pattern, or what an assignment is to, their value; without recursion, since patterns may be deep. */
  const bind = (target: Node | undefined, scope: Scope, given: Load): void => {
    const stack: Bound[] = [{ target, load: given }]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (next.target === undefined) continue
      pay(effort, 1)
      if (next.target.type === 'Identifier') flowIntoName(String(next.target['name']), scope, next.load)
      else if (next.target.type === 'MemberExpression') bindMember(next.target, scope, next.load)
      else for (const part of partsOf(next.target, next.load)) stack.push(part)
    }
  }
  const bindMember = (target: Node, scope: Scope, load: Load) => {
    const name = staticName(target)
    if (name !== undefined) flowIntoProperty(name, load)
    const owner = nodeAt(target, 'object')
    if (owner?.type === 'Identifier') flowIntoName(String(owner['name']), scope, held(load))
  }
  /** Hands what a node may be to what it is in. */
  const pass = (at: number) => {
    source = at
    const node = nodes[at] as Node
    const load = loads[at] ?? nothing
    const scope = scopeAt[at] as Scope
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
      bind(nodeAt(node, 'id'), scope, load)
    const above = parents[at] ?? -1
    if (above === -1) return
    const parent = nodes[above] as Node
    const scopeAbove = scopeAt[above] as Scope
    switch (parent.type) {
      case 'BinaryExpression':
        if (!comparison.test(String(parent['operator']))) flow(above, text(load))
        return
      case 'TemplateLiteral':
        flow(above, text(load))
        return
      case 'TaggedTemplateExpression':
        flow(above, whole(load))
        return
      case 'UnaryExpression':
        if (/^[-+~]$/.test(String(parent['operator']))) flow(above, text(load))
        return
      case 'ConditionalExpression':
        if (parent['test'] !== node) flow(above, load)
        return
      case 'SequenceExpression':
        if (nodesAt(parent, 'expressions').at(-1) === node) flow(above, load)
        return
      case 'LogicalExpression':
      case 'AwaitExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
      case 'SpreadElement':
        flow(above, load)
        return
      case 'AssignmentExpression':
        if (parent['right'] !== node) return
        flow(above, load)
        bind(nodeAt(parent, 'left'), scopeAbove, load)
        return
      case 'AssignmentPattern':
        if (parent['right'] === node) bind(nodeAt(parent, 'left'), scope, load)
        return
      case 'VariableDeclarator':
        if (parent['init'] === node) bind(nodeAt(parent, 'id'), scopeAbove, load)
        return
      case 'ForOfStatement':
      case 'ForInStatement':
        if (parent['right'] === node) bind(loopTarget(parent), scope, whole(load))
        return
      case 'ArrayExpression':
        flow(above, held(load))
        return
      case 'Property':
      case 'PropertyDefinition': {
        const isValue = parent['value'] === node
        const name = staticKey(parent)
        if (isValue && name !== undefined)
          flowIntoProperty(name, parent['kind'] === 'get' ? called(load) : load)
        if (parent['shorthand'] !== true || isValue) flow(above, held(load))
        return
      }
      case 'MethodDefinition': {
        const name = staticKey(parent)
        if (name !== undefined && parent['value'] === node)
          flowIntoMethod(name, parent['kind'] === 'get' ? called(load) : load)
        return
      }
      case 'ObjectExpression':
        flow(above, load)
        return
      case 'MemberExpression':
        passToMember(above, node, load)
        return
      case 'CallExpression':
      case 'NewExpression':
        passToCall(above, node, load)
        return
      case 'ReturnStatement':
      case 'YieldExpression':
        passToFunction(above, load)
        if (parent.type === 'YieldExpression') flow(above, load)
        return
      case 'ArrowFunctionExpression':
        if (parent['body'] === node) flow(above, given(load))
        return
    }
  }
  const passToMember = (above: number, node: Node, load: Load) => {
    const member = nodes[above] as Node
    const name = staticName(member)
    const around = parents[above] ?? -1
    const call = around === -1 ? undefined : nodes[around]
    const isCalled = call !== undefined && isCall(call) && call['callee'] === member
    if (isCalled && node === member['object']) {
      // A method of a text or a list, or of what holds functions.
      if (name === undefined || !answers.test(name))
        flow(around, whole({ ...load, givenOwn: 0, givenHeld: 0 }))
      if (/^(?:call|apply|bind)$/.test(name ?? '')) flow(around, called(load))
    }
    if (name === undefined) flow(above, whole(load))
    else if (name !== 'length') flow(above, union(read(name, load), { ...nothing, own: load.own }))
  }
  const passToCall = (above: number, node: Node, load: Load) => {
    const call = nodes[above] as Node
    const callee = nodeAt(call, 'callee')
    if (callee === node) {
      flow(above, called(load))
      return
    }
    const name = callee === undefined ? undefined : staticName(callee)
    if (name !== undefined && answers.test(name)) return
    flow(above, whole(load))
    const scope = scopeAt[above] as Scope
    if (name !== undefined && additions.test(name)) bind(nodeAt(callee as Node, 'object'), scope, held(load))
    if (callee === undefined || !/Function/.test(callee.type)) return
    // A function that is called where it is written.
    const parameters = nodesAt(callee, 'params')
    const index = nodesAt(call, 'arguments').indexOf(node)
    const parameter =
      parameters[index] ?? (parameters.at(-1)?.type === 'RestElement' ? parameters.at(-1) : null)
    bind(parameter ?? undefined, scopes.scopeOf(callee, scope), load)
  }
  const passToFunction = (from: number, load: Load) => {
    let at = from
    while (at !== -1 && !/Function/.test((nodes[at] as Node).type)) at = parents[at] ?? -1
    if (at !== -1) flow(at, given(load))
  }

  /** Marks functions and classes that hold a piece: their results are of interest, however the piece gets out. */
  const touch = (from: number) => {
    for (let at = parents[from] ?? -1, levels = 0; at !== -1 && levels < mostLevels; at = parents[at] ?? -1) {
      const node = nodes[at] as Node
      if (!/Function|^Class(?:Decl|Expr)/.test(node.type)) continue
      if (node.end - node.start > longestTouched) return
      levels += 1
      flow(at, { ...nothing, own: touched, givenOwn: touched })
    }
  }
  const pieces: Piece[] = []
  for (let at = 0; at < nodes.length; at++) {
    const bits = seeds.ofNode(nodes[at] as Node)
    if (bits === 0) continue
    source = at
    if (isLarge(bits)) touch(at)
    if (!isMentionedAt(graph, at)) pieces.push({ at, start: (nodes[at] as Node).start, bits })
    flow(at, { ...nothing, own: bits })
  }
  do {
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      pay(effort, stepsOfNode)
      pass(at)
    }
    const settled = [...changed]
    changed.clear()
    for (const held of settled) {
      const { index, load, uses } = held
      source = index
      pay(effort, uses().length)
      for (const use of uses()) {
        const name = staticName(nodes[use] as Node)
        const isWhole = name === undefined || methods.get(name) === held
        flow(use, isWhole ? load : read(name, loads[use + 1] ?? nothing))
      }
    }
  } while (queue.length > 0 || changed.size > 0)
  const indexes = new Map<Node, number>()
  const bits = new Int32Array(nodes.length)
  for (const [at, load] of loads.entries()) {
    if (load === undefined) continue
    bits[at] = sum(load)
    indexes.set(nodes[at] as Node, at)
  }
  return {
    parts: createParts({ nodes, indexes, bits, joined, pieces }, seeds),
    of: (node) => bits[indexes.get(node) ?? nodes.length] ?? 0,
    ofName: (scope, name) => sum(names.get(scope)?.get(name)?.load ?? nothing),
  }
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
}

function readGraph(tree: Node, scopes: Scopes, effort: Effort): Graph {
  const nodes: Node[] = []
  const parents: number[] = []
  const scopeAt: Scope[] = []
  const uses = new Map<string, number[]>()
  const members = new Map<string, number[]>()
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
  return { nodes, parents, scopeAt, uses, members }
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
