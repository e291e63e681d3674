import { hole } from '../mint-call.ts'
import { callResult } from './calls.ts'
import { holderOf, type Node, nodeAt, nodesAt, type Scope, scopesOf } from './scope.ts'

/** The value of a constant expression; `undefined` where it depends on what happens at run time. */
export type Constant =
  | string
  | number
  | readonly Constant[]
  | Uint8Array
  | { readonly fields: ReadonlyMap<string, Constant> }
  | undefined

export type Evaluate = (node: Node | null | undefined) => Constant

const deepest = 120
const longest = 262_144

/** Strings that no single literal holds, with the place where they are put together. */
export function foldedStrings(tree: Node): { value: string; start: number }[] {
  const found: { value: string; start: number }[] = []
  const known = new Map<Node, Constant>()
  const within = new Set<Node>()
  const inProgress = new Set<Node>()
  const evaluateIn =
    (scope: Scope, depth: number): Evaluate =>
    (node) => {
      if (node === null || node === undefined || depth > deepest || inProgress.has(node)) return undefined
      if (known.has(node)) return known.get(node)
      inProgress.add(node)
      const value = bounded(
        constantOf(node, scope, evaluateIn(scope, depth + 1), (inner) => evaluateIn(inner, depth + 1)),
      )
      inProgress.delete(node)
      known.set(node, value)
      return value
    }
  scopesOf(tree).visit((node, scope) => {
    if (!/^(?:BinaryExpression|TemplateLiteral|CallExpression)$/.test(node.type) || within.has(node)) return
    const value = evaluateIn(scope, 0)(node)
    if (node.type === 'BinaryExpression')
      for (let left = nodeAt(node, 'left'); left?.type === 'BinaryExpression'; left = nodeAt(left, 'left'))
        within.add(left)
    if (typeof value === 'string') found.push({ value, start: node.start })
  })
  return found
}

function bounded(value: Constant): Constant {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > longest ? undefined : value
}

function constantOf(
  node: Node,
  scope: Scope,
  evaluate: Evaluate,
  evaluateIn: (scope: Scope) => Evaluate,
): Constant {
  switch (node.type) {
    case 'Literal': {
      const { value } = node
      return typeof value === 'string' || typeof value === 'number' ? value : undefined
    }
    case 'TemplateLiteral':
      return templateText(node, evaluate)
    case 'BinaryExpression':
      return sumOf(node, evaluate)
    case 'Identifier': {
      const name = String(node['name'])
      const holder = holderOf(name, scope)
      return holder === null ? undefined : evaluateIn(holder)(holder.names.get(name))
    }
    case 'ArrayExpression':
      return nodesAt(node, 'elements').flatMap((element): readonly Constant[] => {
        if (element?.type !== 'SpreadElement') return [evaluate(element)]
        const spread = evaluate(nodeAt(element, 'argument'))
        return typeof spread === 'string' ? [...spread] : Array.isArray(spread) ? spread : [undefined]
      })
    case 'ObjectExpression':
      return {
        fields: new Map(nodesAt(node, 'properties').flatMap((property) => fieldOf(property, evaluate))),
      }
    case 'MemberExpression':
      return memberOf(node, evaluate)
    case 'ParenthesizedExpression':
      return evaluate(nodeAt(node, 'expression'))
    case 'CallExpression':
    case 'NewExpression':
      return callResult(node, evaluate, (name, value, body) =>
        evaluateBound(name, value, body, scope, evaluateIn),
      )
    default:
      return undefined
  }
}

/** The body of a small arrow function with its parameter bound to a constant. */
function evaluateBound(
  name: string,
  value: Constant,
  body: Node,
  scope: Scope,
  evaluateIn: (scope: Scope) => Evaluate,
): Constant {
  const literal: Node = { type: 'Literal', start: body.start, value }
  const inner: Scope = { parent: scope, names: new Map([[name, literal]]) }
  const fresh = (node: Node): Node =>
    Object.fromEntries(
      Object.entries(node).map(([field, item]) => [
        field,
        Array.isArray(item)
          ? item.map((one: unknown) => (isPlainNode(one) ? fresh(one) : one))
          : isPlainNode(item)
            ? fresh(item)
            : item,
      ]),
    ) as unknown as Node
  return evaluateIn(inner)(fresh(body))
}

function isPlainNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function templateText(node: Node, evaluate: Evaluate): string {
  const parts = nodesAt(node, 'expressions').map((expression) => textOr(evaluate(expression)))
  return nodesAt(node, 'quasis')
    .map(
      (quasi, index) =>
        String((quasi?.['value'] as { cooked?: unknown })?.cooked ?? '') + (parts[index] ?? ''),
    )
    .join('')
}

function textOr(value: Constant): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : hole
}

/** Long chains of `+` are walked along their left side, so that they do not exhaust the stack. */
function sumOf(node: Node, evaluate: Evaluate): Constant {
  const parts: Constant[] = []
  let left: Node | undefined = node
  while (left?.type === 'BinaryExpression') {
    if (left['operator'] !== '+') return arithmetic(left, evaluate)
    parts.unshift(evaluate(nodeAt(left, 'right')))
    left = nodeAt(left, 'left')
  }
  parts.unshift(evaluate(left))
  if (parts.every((part) => typeof part === 'number')) return parts.reduce((sum, part) => sum + part, 0)
  return parts.some((part) => typeof part === 'string') ? parts.map(textOr).join('') : undefined
}

function arithmetic(node: Node, evaluate: Evaluate): Constant {
  const [left, right] = [evaluate(nodeAt(node, 'left')), evaluate(nodeAt(node, 'right'))]
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  if (node['operator'] === '-') return left - right
  if (node['operator'] === '^') return left ^ right
  return node['operator'] === '*' ? left * right : undefined
}

function fieldOf(property: Node | null, evaluate: Evaluate): [string, Constant][] {
  const key = property === null ? undefined : nodeAt(property, 'key')
  if (property?.type !== 'Property' || key === undefined) return []
  const name =
    property['computed'] !== true && key.type === 'Identifier' ? String(key['name']) : evaluate(key)
  return name === undefined ? [] : [[String(name), evaluate(nodeAt(property, 'value'))]]
}

function memberOf(node: Node, evaluate: Evaluate): Constant {
  const object = evaluate(nodeAt(node, 'object'))
  const property = nodeAt(node, 'property')
  const name = node['computed'] === true ? evaluate(property) : property?.['name']
  if (typeof object === 'string')
    return name === 'length' ? object.length : typeof name === 'number' ? object[name] : undefined
  if (Array.isArray(object))
    return typeof name === 'number' ? (object as readonly Constant[])[name] : undefined
  return typeof object === 'object' && 'fields' in object ? object.fields.get(String(name)) : undefined
}
