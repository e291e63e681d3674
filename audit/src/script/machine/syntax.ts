import { isNode, type Node, nodeAt, nodesAt } from '../parse/scope.ts'

/** The name of a property, as written. A private name gets a mark that no public name can have. */
export function nameOf(key: Node): string | null {
  const name = key.type === 'PrivateIdentifier' ? `#${String(key['name'])}` : (key['name'] ?? key['value'])
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null
}

/** Names that a pattern gives a value. */
export function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [String(pattern['name'])]
  const inner = [
    ...['left', 'argument', 'value'].map((field) => nodeAt(pattern, field)),
    ...['elements', 'properties'].flatMap((field) => nodesAt(pattern, field)),
  ]
  return inner.flatMap((part) => (isNode(part) ? namesIn(part) : []))
}

/** Says whether a statement ends what is running without a value. */
export function leaves(statement: Node): boolean {
  if (statement.type === 'ThrowStatement') return true
  if (statement.type === 'ReturnStatement') {
    const given = nodeAt(statement, 'argument')
    return given === undefined || (given.type === 'Literal' && typeof given['value'] !== 'string')
  }
  if (statement.type !== 'BlockStatement') return false
  const last = nodesAt(statement, 'body').at(-1)
  return last != null && leaves(last)
}

/** Says whether a statement ends what is running. */
export function returns(statement: Node): boolean {
  const { type } = statement
  if (type !== 'BlockStatement') return type === 'ReturnStatement' || type === 'ThrowStatement'
  const last = nodesAt(statement, 'body').at(-1)
  return last != null && returns(last)
}

/** Gives something a function or an object: it costs little, and what is of interest may use it. */
export function isDefinition(expression: Node): boolean {
  if (expression.type !== 'AssignmentExpression') return false
  const right = nodeAt(expression, 'right')
  return right !== undefined && /^(?:Arrow)?Function|^Class/.test(right.type)
}

/** Gives the name of the object that an expression adds something to: `it.member = …`, or a call that is given it. */
export function changedName(expression: Node): string | null {
  const isCall = expression.type === 'CallExpression'
  if (!isCall && expression.type !== 'AssignmentExpression') return null
  let at = isCall ? (nodesAt(expression, 'arguments')[0] ?? undefined) : nodeAt(expression, 'left')
  if (!isCall && at?.type !== 'MemberExpression') return null
  while (at?.type === 'MemberExpression') at = nodeAt(at, 'object')
  return at?.type === 'Identifier' ? String(at['name']) : null
}

/** Lists the names that statements declare by `var`, also inside other statements. */
export function varNamesIn(statements: readonly (Node | null | undefined)[]): string[] {
  const names: string[] = []
  const left = [...statements]
  while (left.length > 0) {
    const node = left.pop()
    if (node == null) continue
    if (node.type === 'VariableDeclaration') {
      if (node['kind'] !== 'var') continue
      for (const declarator of nodesAt(node, 'declarations')) {
        const id = declarator === null ? undefined : nodeAt(declarator, 'id')
        if (id !== undefined) names.push(...namesIn(id))
      }
    } else if (node.type.endsWith('Statement') || node.type === 'SwitchCase' || node.type === 'CatchClause') {
      for (const field of statementsInside) left.push(nodeAt(node, field))
      for (const field of listsInside) left.push(...nodesAt(node, field))
    }
  }
  return names
}

const statementsInside = ['body', 'consequent', 'alternate', 'init', 'left', 'block', 'handler', 'finalizer']
const listsInside = ['body', 'consequent', 'cases']
