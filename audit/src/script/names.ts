/** A node of the parser's tree. Identifiers carry the scope that they are in. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  scope?: Scope
  readonly [field: string]: unknown
}

/** The value of a name. `null` where it has no value, more than one, or one that is only known at run time. */
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

export function childOf(node: Node, field: string): Node | null {
  const value = node[field]
  return isNode(value) ? value : null
}

export function childrenOf(node: Node, field: string): readonly (Node | null)[] {
  const value = node[field]
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

/** Reads which names and properties of a script have one value. @throws RangeError where it is too deep */
export function readNames(tree: Node, visit: (node: Node) => void): Names {
  const properties = new Map<string, Node[]>()
  const global: Scope = { parent: null, isFunction: true, names: new Map() }

  const bind = (scope: Scope, name: string, value: Node | null) => {
    const known = scope.names.get(name)
    if (known === undefined) scope.names.set(name, { value, writes: value === null ? 0 : 1 })
    else if (value !== null && !isNothing(value)) write(known, value)
  }
  const write = (binding: Binding, value: Node | null) => {
    binding.writes += 1
    binding.value = value === null || binding.writes > 1 ? null : value
    if (value === null) binding.writes = 2
  }
  const hold = (name: string | null, value: Node | null) => {
    if (name === null || value === null || isNothing(value)) return
    const values = properties.get(name)
    if (values === undefined) properties.set(name, [value])
    else values.push(value)
  }
  /** Takes a pattern apart: each name in it is a member of the value. */
  const bindPattern = (scope: Scope, pattern: Node | null, value: Node | null, isKnown: boolean): void => {
    if (pattern === null) return
    if (pattern.type === 'Identifier') {
      bind(scope, String(pattern['name']), value)
      const own = scope.names.get(String(pattern['name']))
      if (!isKnown && own !== undefined) write(own, null)
    } else if (pattern.type === 'ObjectPattern')
      for (const property of childrenOf(pattern, 'properties'))
        if (property?.type === 'Property') {
          const name = nameOf(childOf(property, 'key'), property['computed'])
          const own = name === null || value === null ? null : memberOf(value, name, property)
          bindPattern(scope, childOf(property, 'value'), own, isKnown && own !== null)
        } else bindPattern(scope, property && childOf(property, 'argument'), null, false)
    else if (pattern.type === 'ArrayPattern')
      for (const [index, element] of childrenOf(pattern, 'elements').entries())
        bindPattern(scope, element, value && memberOf(value, index, pattern), isKnown)
    else if (pattern.type === 'AssignmentPattern')
      bindPattern(scope, childOf(pattern, 'left'), value ?? childOf(pattern, 'right'), isKnown)
    else bindPattern(scope, childOf(pattern, 'argument'), null, false)
  }
  const functionScope = (scope: Scope): Scope => {
    let at = scope
    while (!at.isFunction && at.parent !== null) at = at.parent
    return at
  }
  const assigned: (() => void)[] = []
  const walk = (node: Node, outer: Scope): void => {
    let scope = outer
    const isFunction = functions.test(node.type)
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
      const id = childOf(node, 'id')
      if (id !== null) bind(outer, String(id['name']), node)
    }
    if (isFunction || blocks.test(node.type)) {
      scope = { parent: outer, isFunction, names: new Map() }
      const id =
        node.type === 'FunctionExpression' || node.type === 'ClassExpression' ? childOf(node, 'id') : null
      if (id !== null) bind(scope, String(id['name']), node)
      for (const parameter of childrenOf(node, 'params')) bindPattern(scope, parameter, null, false)
      if (node.type === 'CatchClause') bindPattern(scope, childOf(node, 'param'), null, false)
    }
    if (node.type === 'Identifier') node.scope = scope
    else if (node.type === 'VariableDeclaration') {
      const holder = node['kind'] === 'var' ? functionScope(scope) : scope
      for (const one of childrenOf(node, 'declarations'))
        if (one !== null) bindPattern(holder, childOf(one, 'id'), childOf(one, 'init'), true)
    } else if (/^For(?:In|Of)Statement$/.test(node.type)) {
      const left = childOf(node, 'left')
      for (const one of left === null ? [] : childrenOf(left, 'declarations'))
        bindPattern(
          left?.['kind'] === 'var' ? functionScope(scope) : scope,
          one && childOf(one, 'id'),
          null,
          false,
        )
    } else if (node.type === 'AssignmentExpression') {
      const [left, right] = [childOf(node, 'left'), childOf(node, 'right')]
      const isPlain = node['operator'] === '='
      if (left?.type === 'MemberExpression')
        hold(nameOf(childOf(left, 'property'), left['computed']), isPlain ? right : null)
      else if (left?.type === 'Identifier') {
        const name = String(left['name'])
        // Names are known only when all declarations were read.
        assigned.push(() => {
          const binding = find(scope, name)
          if (binding === null) bind(global, name, isPlain ? right : null)
          else if (!isPlain) write(binding, null)
          else if (right !== null && !isNothing(right)) write(binding, right)
        })
      } else assigned.push(() => forget(left, scope))
    } else if (node.type === 'UpdateExpression') assigned.push(() => forget(childOf(node, 'argument'), scope))
    else if (node.type === 'Property' || node.type === 'PropertyDefinition')
      hold(nameOf(childOf(node, 'key'), node['computed']), childOf(node, 'value'))
    else if (node.type === 'CallExpression') holdExports(node)
    visit(node)
    for (const field in node) {
      if (field === 'scope') continue
      const value = node[field]
      if (Array.isArray(value)) {
        for (const child of value as unknown[]) if (isNode(child)) walk(child, scope)
      } else if (isNode(value)) walk(value, scope)
    }
  }
  const find = (from: Scope, name: string): Binding | null => {
    for (let at: Scope | null = from; at !== null; at = at.parent) {
      const own = at.names.get(name)
      if (own !== undefined) return own
    }
    return null
  }
  const forget = (pattern: Node | null, scope: Scope): void => {
    if (pattern?.type === 'Identifier') {
      const own = find(scope, String(pattern['name']))
      if (own !== null) write(own, null)
    } else if (pattern !== null)
      for (const field of ['elements', 'properties'])
        for (const one of childrenOf(pattern, field))
          forget(one?.type === 'Property' ? childOf(one, 'value') : one, scope)
  }
  /** Members as compilers set them: `defineProperty(exports, 'name', { get })`, lists of webpack, helpers for fields. */
  const holdExports = (call: Node): void => {
    const callee = childOf(call, 'callee')
    const name =
      callee?.type === 'MemberExpression' ? nameOf(childOf(callee, 'property'), callee['computed']) : null
    const [, second = null, third = null] = childrenOf(call, 'arguments')
    if (name === 'defineProperty' && third?.type === 'ObjectExpression') {
      for (const property of childrenOf(third, 'properties'))
        if (
          property !== null &&
          /^(?:get|value)$/.test(nameOf(childOf(property, 'key'), property['computed']) ?? '')
        )
          hold(nameOf(second, true), childOf(property, 'value'))
    } else if (name === 'd' && second?.type === 'ArrayExpression') {
      const list = childrenOf(second, 'elements')
      for (let at = 0; at + 1 < list.length; at += 2) {
        const key = nameOf(list[at] ?? null, true)
        const isValue = list[at + 1]?.type === 'Literal' && list[at + 1]?.['value'] === 0
        if (isValue) at += 1
        hold(key, list[at + 1] ?? null)
      }
    } else if (second?.type === 'Literal' && typeof second['value'] === 'string' && third !== null)
      hold(second['value'], third)
  }
  walk(tree, global)
  for (const assign of assigned) assign()
  return {
    valueOf: (identifier) =>
      identifier.scope === undefined
        ? null
        : (find(identifier.scope, String(identifier['name']))?.value ?? null),
    propertiesOf: (name) => properties.get(name) ?? [],
  }
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
