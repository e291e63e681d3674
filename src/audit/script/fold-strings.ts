import { createEvaluator, valueOfWrites } from './evaluate.ts'
import { collectScopes, type Node, nodeAt, nodesAt } from './scope.ts'
import type { Constant } from './value.ts'

/** Properties by which HTTP clients are told where their calls go. */
const baseAddress =
  /^(?:(?:base|prefix|api|server|service|mint)_?(?:ur[il]|base|host|root|address)?|host|origin|endpoint)$/i

export interface FoldedString {
  readonly value: string
  readonly start: number
  /** The script runs it as a script. */
  readonly isCode: boolean
}

/** Strings, with the place where they are or are put together, and the addresses that clients are given. */
export function foldStrings(tree: Node): { strings: FoldedString[]; bases: string[] } {
  const bases: string[] = []
  const found: FoldedString[] = []
  const within = new Set<Node>()
  const scopes = collectScopes(tree)
  const evaluator = createEvaluator(scopes)
  scopes.visit((node, scope) => {
    // A literal counts as well: its escapes are read as the language does.
    if (node.type === 'Literal') add(node['value'] as Constant, node.start)
    if (!isComposed(node) || within.has(node)) return
    if (node.type === 'BinaryExpression')
      for (let left = nodeAt(node, 'left'); left?.type === 'BinaryExpression'; left = nodeAt(left, 'left'))
        within.add(left)
    const place = { scope, frame: null }
    add(evaluator.evaluate(node, place), node.start)
    const code = evaluated(node)
    if (code !== undefined) add(evaluator.evaluate(code, place), code.start, true)
  })
  for (const [name, writes] of scopes.properties)
    if (baseAddress.test(name))
      for (const { value, scope } of writes) {
        const address = evaluator.evaluate(value, { scope, frame: null })
        if (typeof address === 'string') bases.push(address)
      }
  for (const [name, scope] of scopes.additions)
    add(
      valueOfWrites(scope.names.get(name) ?? [], name, Number.POSITIVE_INFINITY, evaluator),
      scope.names.get(name)?.[0]?.start ?? 0,
    )
  return { strings: found, bases }

  function add(value: Constant, start: number, isCode = false): void {
    if (typeof value === 'string') found.push({ value, start, isCode })
    else if (value instanceof Uint8Array)
      found.push({ value: Buffer.from(value).toString('latin1'), start, isCode })
  }
}

/** The text that `eval`, `Function` or a timer runs. */
function evaluated(node: Node): Node | undefined {
  const callee = nodeAt(node, 'callee')
  const name = String(callee === undefined ? '' : (callee['name'] ?? nodeAt(callee, 'property')?.['name']))
  if (!/^(?:eval|Function|setTimeout|setInterval)$/.test(name)) return undefined
  return nodesAt(node, 'arguments').at(name === 'Function' ? -1 : 0) ?? undefined
}

function isComposed({ type, operator }: Node): boolean {
  return type === 'BinaryExpression'
    ? operator === '+'
    : /^(?:TemplateLiteral|TaggedTemplateExpression|CallExpression|NewExpression)$/.test(type)
}
