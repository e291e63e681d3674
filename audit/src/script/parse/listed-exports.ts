import { isNode, type Node, nodeAt, nodesAt } from './scope.ts'

/** Is in `n.d(exports, ['name', () => value, 'other', 0, value])`, by which webpack exports from 5.112 on. */
const sign = '.d('

/** Writes lists of exports as the objects that older versions of webpack write: whatever follows objects follows them too. */
export function withExportsAsObjects(tree: Node, text: string): Node {
  if (!text.includes(sign)) return tree
  const stack = [tree]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'CallExpression') rewrite(node)
    for (const field in node) {
      const value = node[field]
      if (Array.isArray(value)) {
        for (const child of value as readonly unknown[]) if (isNode(child)) stack.push(child)
      } else if (isNode(value)) stack.push(value)
    }
  }
  return tree
}

function rewrite(call: Node): void {
  const callee = nodeAt(call, 'callee')
  const given = nodesAt(call, 'arguments')
  const list = given[1]
  if (callee?.type !== 'MemberExpression' || nodeAt(callee, 'property')?.['name'] !== 'd') return
  if (given.length !== 2 || list?.type !== 'ArrayExpression') return
  const properties = propertiesIn(nodesAt(list, 'elements'))
  if (properties !== null)
    Object.assign(call, { arguments: [given[0], { ...list, type: 'ObjectExpression', properties }] })
}

function propertiesIn(elements: readonly (Node | null)[]): Node[] | null {
  const properties: Node[] = []
  for (let at = 0; at < elements.length; at += 2) {
    const [key, next] = [nameIn(elements[at]), elements[at + 1]]
    if (key === null || next == null) return null
    const isValue = next.type === 'Literal' && next['value'] === 0
    if (isValue) at += 1
    const value = isValue ? elements[at + 1] : next
    // A getter would run an assignment only when it is read.
    if (value == null || value.type === 'AssignmentExpression') return null
    const getter = { type: 'ArrowFunctionExpression', params: [], body: value, expression: true }
    const { start, end } = value
    const flags = { kind: 'init', method: false, shorthand: false, computed: false }
    properties.push({
      ...{ type: 'Property', start: key.start, end, key, ...flags },
      value: isValue ? { ...getter, start, end } : value,
    })
  }
  return properties
}

/** A literal, also where a minifier has written it as a template. */
function nameIn(node: Node | null | undefined): Node | null {
  if (node?.type === 'Literal') return node
  const [only, ...more] = node?.type === 'TemplateLiteral' ? nodesAt(node, 'quasis') : []
  if (node == null || only == null || more.length > 0) return null
  const { cooked } = only['value'] as { readonly cooked?: unknown }
  return { type: 'Literal', start: node.start, end: node.end, value: cooked }
}
