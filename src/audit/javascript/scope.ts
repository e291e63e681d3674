/** A node of an ESTree, as far as the folding looks at it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function nodeAt(node: Node, field: string): Node | undefined {
  const value = node[field]
  return isNode(value) ? value : undefined
}

export function nodesAt(node: Node, field: string): (Node | null)[] {
  const value = node[field]
  return Array.isArray(value) ? value.map((item: unknown) => (isNode(item) ? item : null)) : []
}

/** What a name stands for in a block or function; `null` once it is written twice or comes from a parameter. */
export interface Scope {
  readonly parent: Scope | null
  readonly names: Map<string, Node | null>
}

/** The scope of each node that opens one, and of each expression the scope that it stands in. */
export function scopesOf(tree: Node): {
  visit: (each: (node: Node, scope: Scope) => void) => void
  root: Scope
} {
  const root: Scope = { parent: null, names: new Map() }
  const order: [Node, Scope][] = []
  const stack: [Node, Scope][] = [[tree, root]]
  const writes: [string, Scope][] = []
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, outer] = next
    const scope = opensScope(node) ? { parent: outer, names: new Map() } : outer
    order.push([node, scope])
    if (node.type === 'VariableDeclarator') declare(node, scope)
    else if (/Function/.test(node.type))
      for (const parameter of nodesAt(node, 'params')) block(parameter, scope)
    else if (node.type === 'AssignmentExpression') {
      const left = nodeAt(node, 'left')
      if (left?.type === 'Identifier') writes.push([String(left['name']), scope])
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) stack.push([child, scope])
  }
  for (const [name, scope] of writes) holderOf(name, scope)?.names.set(name, null)
  return {
    root,
    visit: (each) => {
      for (const [node, scope] of order) each(node, scope)
    },
  }
}

export function holderOf(name: string, scope: Scope): Scope | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) if (at.names.has(name)) return at
  return null
}

function opensScope({ type }: Node): boolean {
  return /Function|^BlockStatement$|^For/.test(type)
}

/** `var` is kept in its block: a reader of it further out finds nothing, which folds less and never wrongly. */
function declare(node: Node, scope: Scope): void {
  const id = nodeAt(node, 'id')
  if (id?.type !== 'Identifier') return
  const name = String(id['name'])
  scope.names.set(name, scope.names.has(name) ? null : (nodeAt(node, 'init') ?? null))
}

function block(pattern: Node | null, scope: Scope): void {
  if (pattern?.type === 'Identifier') scope.names.set(String(pattern['name']), null)
}
