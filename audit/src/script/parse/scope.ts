import { type Effort, pay } from '../../model/effort.ts'

/** A node of an ESTree, as far as the folding looks at it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function nodeAt(node: Node, field: string): Node | undefined {
  const value = node[field]
  return isNode(value) ? value : undefined
}

/** A list of nodes; in place of what a list leaves out is a `null`. */
export function nodesAt(node: Node, field: string): readonly (Node | null)[] {
  const value = node[field]
  return Array.isArray(value) ? (value as readonly (Node | null)[]) : []
}

/** One place that gives a name or a property its value, or adds to it. */
export interface Write {
  readonly value: Node
  readonly scope: Scope
  readonly start: number
  readonly isAddition: boolean
  /** The outermost loop around it in its function. */
  readonly loop: Node | null
  /** Part to take out of the value, for a name in a destructuring pattern. */
  readonly pick: string | number | undefined
}

/** The names of a block or function, each with its writes. */
export interface Scope {
  readonly parent: Scope | null
  readonly names: Map<string, Write[]>
  /** A `var` belongs to the function. */
  readonly isFunction: boolean
  /** The block or function; `null` for the script. */
  readonly opener: Node | null
}

export interface Scopes {
  /** Scope of the script. */
  readonly root: Scope
  /** Literals, and what puts others together or gives them names, in the order of the script. */
  readonly visit: (each: (node: Node, scope: Scope) => void) => void
  readonly scopeOf: (node: Node, outer: Scope) => Scope
  /** Values that are given to a property of any object, by the property's name. */
  readonly properties: ReadonlyMap<string, readonly Write[]>
  /** Names of the methods of classes: a property of the same name is not the only one. */
  readonly methods: ReadonlySet<string>
  /** Scopes with names that are added to. */
  readonly added: ReadonlySet<Scope>
}

interface Visited {
  readonly node: Node
  readonly scope: Scope
  readonly loop: Node | null
}

/**
 * Collects every scope of a tree, and who writes which name; without recursion, since trees may be deep.
 * @throws OverEffort where there are too many scopes around the names
 */
export function collectScopes(tree: Node, effort: Effort): Scopes {
  const root: Scope = { parent: null, names: new Map(), isFunction: true, opener: null }
  const opened = new Map<Node, Scope>()
  const order: Visited[] = []
  const methods = new Set<string>()
  const stack: Visited[] = [{ node: tree, scope: root, loop: null }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node } = next
    const scope = opensScope(node)
      ? { parent: next.scope, names: new Map(), isFunction: isFunction(node), opener: node }
      : next.scope
    if (scope !== next.scope) opened.set(node, scope)
    const loop = isFunction(node) ? null : (next.loop ?? (isLoop(node) ? node : null))
    const visited = scope === next.scope && loop === next.loop ? next : { node, scope, loop }
    if (isLookedAt(node)) order.push(visited)
    if (node.type === 'MethodDefinition' && node['kind'] === 'method')
      methods.add(String(nodeAt(node, 'key')?.['name']))
    declare(visited, next.scope)
    pushChildren(visited, stack)
  }
  const properties = new Map<string, Write[]>()
  const added = new Set<Scope>()
  for (const visited of order) assign(visited, properties, added, effort)
  for (const { names } of [root, ...opened.values()])
    for (const writes of names.values()) writes.sort((a, b) => a.start - b.start)
  return {
    root,
    visit: (each) => {
      for (const { node, scope } of order) each(node, scope)
    },
    scopeOf: (node, outer) => opened.get(node) ?? outer,
    properties,
    methods,
    added,
  }
}

/** The first of them on top. */
function pushChildren({ node, scope, loop }: Visited, stack: Visited[]): void {
  const from = stack.length
  for (const field in node) {
    const value = node[field]
    if (Array.isArray(value)) {
      for (const child of value as readonly unknown[])
        if (isNode(child)) stack.push({ node: child, scope, loop })
    } else if (isNode(value)) stack.push({ node: value, scope, loop })
  }
  for (let low = from, high = stack.length - 1; low < high; low++, high--)
    [stack[low], stack[high]] = [stack[high] as Visited, stack[low] as Visited]
}

export function holderOf(name: string, scope: Scope, effort: Effort): Scope | null {
  let at: Scope | null = scope
  let steps = 1
  for (; at !== null && !at.names.has(name); at = at.parent) steps += 1
  pay(effort, steps)
  return at
}

const isFunction = byType(/Function/)
const opensScope = byType(/Function|^BlockStatement$|^StaticBlock$|^For|^CatchClause$/)
/** Types of nodes to remember. A large script has hundreds of thousands of others, which need not be. */
const isLookedAt = byType(
  /Literal$|^(?:Binary|Call|New|Assignment|Conditional|TaggedTemplate)Expression$|^Property/,
)
const isLoop = byType(/^(?:For|While|DoWhile)/)

/** There are few types, and very many nodes. */
function byType(pattern: RegExp): (node: Node) => boolean {
  const known = new Map<string, boolean>()
  return ({ type }) => {
    let is = known.get(type)
    if (is === undefined) {
      is = pattern.test(type)
      known.set(type, is)
    }
    return is
  }
}

/** Names that a node brings into a scope. */
function declare({ node, scope, loop }: Visited, outer: Scope): void {
  if (node.type === 'VariableDeclaration') {
    const target = node['kind'] === 'var' ? functionOf(scope) : scope
    for (const declarator of nodesAt(node, 'declarations')) {
      const id = declarator === null ? undefined : nodeAt(declarator, 'id')
      const init = declarator === null ? undefined : nodeAt(declarator, 'init')
      if (id !== undefined) bind(id, init, { scope, target, loop })
    }
  } else if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
    const id = nodeAt(node, 'id')
    if (id !== undefined) bind(id, node, { scope: outer, target: outer, loop: null })
  }
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') keepMembers(node)
  if (!isFunction(node)) {
    if (node.type === 'CallExpression') bindArguments(node)
    return
  }
  const given = argumentsByFunction.get(node)
  for (const [index, parameter] of nodesAt(node, 'params').entries())
    if (parameter !== null)
      bind(parameter, given?.nodes[index] ?? undefined, { scope: outer, target: scope, loop: null })
}

/** Classes by the functions that are their members, which have an object of the class as `this`. */
const classByMember = new WeakMap<Node, Node>()

function keepMembers(node: Node): void {
  const body = nodeAt(node, 'body')
  for (const member of body === undefined ? [] : nodesAt(body, 'body')) {
    const value = member === null || member['static'] === true ? undefined : nodeAt(member, 'value')
    if (value !== undefined && isFunction(value)) classByMember.set(value, node)
  }
}

/** The class around a scope, and where it is; `null` outside of classes. */
export function classAround(
  scope: Scope,
  effort: Effort,
): { readonly node: Node; readonly scope: Scope } | null {
  for (let at = scope; at.parent !== null; at = at.parent) {
    pay(effort, 1)
    const node = at.opener === null ? undefined : classByMember.get(at.opener)
    if (node !== undefined) return { node, scope: at.parent }
  }
  return null
}

/** Arguments of functions that are called where they are written. */
const argumentsByFunction = new WeakMap<Node, { readonly nodes: readonly (Node | null)[] }>()

function bindArguments(call: Node): void {
  const callee = nodeAt(call, 'callee')
  if (callee !== undefined && isFunction(callee))
    argumentsByFunction.set(callee, { nodes: nodesAt(call, 'arguments') })
}

interface Target {
  readonly scope: Scope
  readonly target: Scope
  readonly loop: Node | null
}

/** A name or a pattern, what it is given, and the part of that which it takes. */
interface Bound {
  readonly id: Node
  readonly value: Node | undefined
  readonly pick: string | number | undefined
}

/** Gives every name of a pattern its value; without recursion, since patterns may be deep. */
function bind(id: Node, value: Node | undefined, to: Target): void {
  const stack: Bound[] = [{ id, value, pick: undefined }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop())
    if (next.id.type === 'Identifier') bindName(next, to)
    else for (const inner of partsOf(next).reverse()) stack.push(inner)
}

function bindName({ id, value, pick }: Bound, { scope, target, loop }: Target): void {
  const name = String(id['name'])
  const writes = target.names.get(name) ?? []
  target.names.set(name, writes)
  if (value !== undefined) writes.push({ value, scope, start: id.start, isAddition: false, loop, pick })
}

/** Lists the parts right inside a pattern. */
function partsOf({ id, value, pick }: Bound): Bound[] {
  const parts: Bound[] = []
  if (id.type === 'AssignmentPattern') {
    const left = nodeAt(id, 'left')
    if (left !== undefined) parts.push({ id: left, value: value ?? nodeAt(id, 'right'), pick })
  } else if (id.type === 'ArrayPattern')
    for (const [index, element] of nodesAt(id, 'elements').entries()) {
      if (element !== null) parts.push({ id: element, value, pick: index })
    }
  else if (id.type === 'ObjectPattern')
    for (const property of nodesAt(id, 'properties')) {
      const key = property === null ? undefined : nodeAt(property, 'key')
      const inner = property === null ? undefined : nodeAt(property, 'value')
      if (key !== undefined && inner !== undefined)
        parts.push({ id: inner, value, pick: String(key['name'] ?? key['value']) })
    }
  return parts
}

function functionOf(scope: Scope): Scope {
  let at = scope
  while (!at.isFunction && at.parent !== null) at = at.parent
  return at
}

/** Assignments to names and to properties, once all names are known. */
function assign(
  { node, scope, loop }: Visited,
  properties: Map<string, Write[]>,
  added: Set<Scope>,
  effort: Effort,
): void {
  const property = (name: unknown, value: Node | undefined) => {
    if (typeof name !== 'string' || value === undefined) return
    const writes = properties.get(name) ?? []
    writes.push({ value, scope, start: node.start, isAddition: false, loop, pick: undefined })
    properties.set(name, writes)
  }
  if (/^Property(?:Definition)?$/.test(node.type) && node['computed'] !== true) {
    const key = nodeAt(node, 'key')
    property(key?.['name'] ?? key?.['value'], nodeAt(node, 'value'))
    return
  }
  const operator = String(node['operator'])
  if (node.type !== 'AssignmentExpression' || !/^(?:\+|\|\||\?\?)?=$/.test(operator)) return
  const left = nodeAt(node, 'left')
  // A value that is given only where there is none yet depends on both sides.
  const value = operator.length > 2 ? node : nodeAt(node, 'right')
  if (left === undefined || value === undefined) return
  if (left.type === 'MemberExpression') {
    const name = nodeAt(left, 'property')
    if (operator === '=') property(left['computed'] === true ? name?.['value'] : name?.['name'], value)
    return
  }
  if (left.type !== 'Identifier') return
  const name = String(left['name'])
  const holder = holderOf(name, scope, effort)
  const isAddition = operator === '+='
  holder?.names.get(name)?.push({ value, scope, start: node.start, isAddition, loop, pick: undefined })
  if (isAddition && holder !== null) added.add(holder)
}
