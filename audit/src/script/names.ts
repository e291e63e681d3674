/** A node of the parser's tree. Identifiers carry the scope that they are in. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  scope?: Scope
  readonly [field: string]: unknown
}

/** The value of a name; `null` where it has none, or more than one. */
interface Binding {
  value: Node | null
  writes: number
}

export interface Scope {
  readonly parent: Scope | null
  readonly isFunction: boolean
  readonly names: Map<string, Binding>
}

export interface Names {
  /** The one value of a name; `null` where there is none, or no single one. */
  valueOf(identifier: Node): Node | null
  /** Every value that a property of this name is given anywhere in the script. */
  propertiesOf(name: string): readonly Node[]
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

export function childOf(node: Node | null, field: string): Node | null {
  const value = node?.[field]
  return isNode(value) ? value : null
}

export function childrenOf(node: Node | null, field: string): readonly (Node | null)[] {
  const value = node?.[field]
  return Array.isArray(value) ? (value as (Node | null)[]) : []
}

/** The name of a property or a member, where it is written down. */
export function nameOf(key: Node | null, isComputed: unknown): string | null {
  if (key === null) return null
  if (key.type === 'Literal') return String(key['value'])
  return key.type === 'Identifier' && isComputed !== true ? String(key['name']) : null
}

const functions = /Function|^ArrowFunctionExpression$/
const blocks = /^(?:BlockStatement|For\w*Statement|SwitchStatement|CatchClause|Class\w+|StaticBlock)$/

/** A value that only the running script knows. */
const unknown: Node = { type: 'Unknown', start: 0, end: 0 }

/** Reads which names and properties of a script have one value. @throws RangeError where it is too deep */
export function readNames(tree: Node, visit: (node: Node) => void): Names {
  const properties = new Map<string, Node[]>()
  const global: Scope = { parent: null, isFunction: true, names: new Map() }
  const assigned: (() => void)[] = []

  const bind = ({ names }: Scope, name: string, value: Node | null) => {
    const binding = names.get(name) ?? { value: null, writes: 0 }
    names.set(name, binding)
    if (value === null || isNothing(value)) return
    binding.writes += 1
    binding.value = binding.writes === 1 ? value : null
  }
  const hold = (name: string | null, value: Node | null) => {
    if (name === null || value === null || value === unknown || isNothing(value)) return
    const values = properties.get(name)
    if (values === undefined) properties.set(name, [value])
    else values.push(value)
  }
  /** Takes a pattern apart: each name in it is a member of the value. */
  const give = (scopeOf: (name: string) => Scope, pattern: Node | null, value: Node | null): void => {
    if (pattern === null) return
    const partOf = (name: string | number | null) =>
      name === null || value === null || value === unknown ? unknown : memberOf(value, name, pattern)
    const name = String(pattern['name'])
    if (pattern.type === 'Identifier') bind(scopeOf(name), name, value)
    else if (pattern.type === 'MemberExpression')
      hold(nameOf(childOf(pattern, 'property'), pattern['computed']), value)
    else if (pattern.type === 'AssignmentPattern') give(scopeOf, childOf(pattern, 'left'), value)
    else if (pattern.type === 'RestElement') give(scopeOf, childOf(pattern, 'argument'), unknown)
    else if (pattern.type === 'Property')
      give(scopeOf, childOf(pattern, 'value'), partOf(nameOf(childOf(pattern, 'key'), pattern['computed'])))
    for (const property of childrenOf(pattern, 'properties')) give(scopeOf, property, value)
    for (const [index, element] of childrenOf(pattern, 'elements').entries())
      give(scopeOf, element, partOf(index))
  }
  const walk = (node: Node, outer: Scope): void => {
    const { type } = node
    const isFunction = functions.test(type)
    const isScope = isFunction || blocks.test(type)
    const scope = isScope ? { parent: outer, isFunction, names: new Map() } : outer
    if (isScope) {
      const holder = type.endsWith('Declaration') ? outer : scope
      give(() => holder, childOf(node, 'id'), node)
      give(() => scope, childOf(node, 'param'), unknown)
      for (const parameter of childrenOf(node, 'params')) give(() => scope, parameter, unknown)
    }
    if (type === 'Identifier') node.scope = scope
    else if (type === 'VariableDeclaration') {
      const holder = node['kind'] === 'var' ? functionOf(scope) : scope
      for (const one of childrenOf(node, 'declarations'))
        give(() => holder, childOf(one, 'id'), childOf(one, 'init'))
    } else if (type === 'AssignmentExpression' || type === 'UpdateExpression') {
      const target = childOf(node, 'left') ?? childOf(node, 'argument')
      const value = node['operator'] === '=' ? childOf(node, 'right') : unknown
      // Names are known only when all declarations were read.
      assigned.push(() => give((name) => scopeOf(scope, name) ?? global, target, value))
    } else if (type === 'Property' || type === 'PropertyDefinition')
      hold(nameOf(childOf(node, 'key'), node['computed']), childOf(node, 'value'))
    else if (type === 'CallExpression') for (const [key, value] of exportsOf(node)) hold(key, value)
    visit(node)
    for (const field in node) {
      if (field === 'scope') continue
      const value = node[field]
      if (Array.isArray(value)) {
        for (const child of value as unknown[]) if (isNode(child)) walk(child, scope)
      } else if (isNode(value)) walk(value, scope)
    }
  }
  walk(tree, global)
  for (const assign of assigned) assign()
  return {
    valueOf({ scope, name }) {
      const own = scope && scopeOf(scope, String(name))
      return own?.names.get(String(name))?.value ?? null
    },
    propertiesOf: (name) => properties.get(name) ?? [],
  }
}

/** The scope that a name is declared in. */
function scopeOf(from: Scope, name: string): Scope | null {
  let at: Scope | null = from
  while (at !== null && !at.names.has(name)) at = at.parent
  return at
}

function functionOf(scope: Scope): Scope {
  let at = scope
  while (!at.isFunction && at.parent !== null) at = at.parent
  return at
}

type Member = readonly [name: string | null, value: Node | null]

/** Members of an object or a class; what is spread into it has no name. */
export function membersOf(node: Node | null): Member[] {
  const all = [...childrenOf(node, 'properties'), ...childrenOf(childOf(node, 'body') ?? node, 'body')]
  return all.map((one) => [nameOf(childOf(one, 'key'), one?.['computed']), childOf(one, 'value') ?? one])
}

/** Members as compilers set them: `defineProperty(exports, 'name', { get })`, lists of webpack, helpers for fields. */
function exportsOf(call: Node): Member[] {
  const [, key = null, value = null] = childrenOf(call, 'arguments')
  if (typeof key?.['value'] === 'string') {
    const getter = membersOf(value).find(([name]) => name === 'get' || name === 'value')
    return [[key['value'], getter?.[1] ?? value]]
  }
  if (nameOf(childOf(childOf(call, 'callee'), 'property'), false) !== 'd') return []
  // A name and its getter, or a name, 0 and its value.
  const list = childrenOf(key, 'elements').filter((one) => one?.['value'] !== 0)
  return list.map((one, index) => [index % 2 === 0 ? nameOf(one, true) : null, list[index + 1] ?? null])
}

/** A value that only declares a name: `exports.a = void 0`. */
function isNothing({ type, operator, name }: Node): boolean {
  return (
    (type === 'UnaryExpression' && operator === 'void') || (type === 'Identifier' && name === 'undefined')
  )
}

function memberOf(object: Node, name: string | number, { start, end }: Node): Node {
  const property = { type: 'Literal', start, end, value: name }
  return { type: 'MemberExpression', start, end, object, property, computed: true }
}
