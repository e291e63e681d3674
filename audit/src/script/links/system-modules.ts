import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { type Edit, walk } from './chunk-modules.ts'

/** A call that registers a module for SystemJS: `System.register(["./other.js"], function (exports, module) { … })`. */
export interface SystemModule {
  readonly call: Node
  readonly factory: Node
  readonly dependencies: readonly (Node | null)[]
}

export function systemModuleIn(tree: Node, text: string): SystemModule | null {
  if (!text.includes('System.register')) return null
  let found: SystemModule | null = null
  walk(tree, (call) => {
    const callee = call.type === 'CallExpression' ? nodeAt(call, 'callee') : undefined
    if (callee?.type !== 'MemberExpression' || nodeAt(callee, 'object')?.['name'] !== 'System') return
    if (nodeAt(callee, 'property')?.['name'] !== 'register') return
    const [factory, list] = nodesAt(call, 'arguments').toReversed()
    if (factory == null || !/Function/.test(factory.type) || list?.type !== 'ArrayExpression') return
    found ??= { call, factory, dependencies: nodesAt(list, 'elements') }
  })
  return found
}

/** Reads a text, also as minifiers write it. */
function textOf(node: Node | null | undefined): string | undefined {
  const [only, ...more] = node?.type === 'TemplateLiteral' ? nodesAt(node, 'quasis') : []
  const text =
    only != null && more.length === 0 ? (only['value'] as { cooked?: unknown }).cooked : node?.['value']
  return typeof text === 'string' ? text : undefined
}

/** Runs the setters of a module, which take what it imports, and then the module. */
export const startOfSystem =
  'function linked$start(m){(m.setters||[]).forEach(function(s){s()});return m.execute()}\n'

/** The variables of a module's exports, and the exports of the modules that specifiers mean; `null` for others. */
export interface SystemExports {
  own(name: string): string
  of(specifier: string | undefined): string | null
}

/** Gives the exports of a module a variable, and all that imports others these. */
export function editsOfSystem({ call, factory, dependencies }: SystemModule, exports: SystemExports): Edit[] {
  const [give, module] = nodesAt(factory, 'params').map((param) => param?.['name'])
  const edits: Edit[] = [
    { start: call.start, end: factory.start, text: 'linked$start((' },
    { start: factory.end, end: call.end, text: ')())' },
  ]
  walk(factory, (node) => {
    if (node.type === 'Property' && nodeAt(node, 'key')?.['name'] === 'setters')
      edits.push(...editsOfSetters(nodeAt(node, 'value'), dependencies, exports))
    if (node.type !== 'CallExpression') return
    const callee = nodeAt(node, 'callee')
    if (callee?.type === 'Identifier' && callee['name'] === give)
      edits.push(...editsOfGiven(node, exports.own))
    const isImport = callee?.type === 'MemberExpression' && nodeAt(callee, 'property')?.['name'] === 'import'
    if (!isImport || module === undefined || nodeAt(callee, 'object')?.['name'] !== module) return
    const imported = exports.of(textOf(nodesAt(node, 'arguments')[0]))
    if (imported !== null)
      edits.push({ start: node.start, end: node.end, text: `Promise.resolve(${imported})` })
  })
  return edits
}

/** `exports("name", value)`, and `exports({ name: value })`: what is given, and what it is in the call. */
function* givenIn(call: Node): Generator<{ readonly name: string; readonly value: Node }> {
  const [first, second] = nodesAt(call, 'arguments')
  const pairs =
    first?.type === 'ObjectExpression'
      ? nodesAt(first, 'properties').map((property) => {
          const key = property === null ? undefined : nodeAt(property, 'key')
          return [key?.['name'] ?? key?.['value'], property && nodeAt(property, 'value')] as const
        })
      : [[textOf(first), second] as const]
  for (const [name, value] of pairs)
    if (typeof name === 'string' && /^[\w$]+$/.test(name) && value != null) yield { name, value }
}

function editsOfGiven(call: Node, own: SystemExports['own']): Edit[] {
  const edits: Edit[] = []
  let { start } = call
  for (const { name, value } of givenIn(call)) {
    edits.push({ start, end: value.start, text: `${edits.length === 0 ? '(' : ','}${own(name)}=` })
    start = value.end
  }
  return start === call.start ? [] : [...edits, { start, end: call.end, text: ')' }]
}

/** The names of a module's exports, with the texts that some of them are. */
export function exportsOfSystem({ factory }: SystemModule): Map<string, string | undefined> {
  const give = nodesAt(factory, 'params')[0]?.['name']
  const names = new Map<string, string | undefined>()
  walk(factory, (node) => {
    if (node.type !== 'CallExpression' || give === undefined || nodeAt(node, 'callee')?.['name'] !== give)
      return
    for (const { name, value } of givenIn(node)) names.set(name, textOf(value))
  })
  return names
}

/** Functions that take the exports of a dependency each, in their order. */
function editsOfSetters(
  list: Node | undefined,
  dependencies: readonly (Node | null)[],
  exports: SystemExports,
): Edit[] {
  return nodesAt(list ?? ({} as Node), 'elements').flatMap((setter, at) => {
    const [param] = setter === null ? [] : nodesAt(setter, 'params')
    const imported = exports.of(textOf(dependencies[at]))
    if (setter === null || param?.type !== 'Identifier' || imported === null) return []
    const given = `${param['name']}=${imported}`
    const isBare = setter.type === 'ArrowFunctionExpression' && setter.start === param.start
    return [{ start: param.start, end: param.end, text: isBare ? `(${given})` : given }]
  })
}
