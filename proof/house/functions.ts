import { createLineFinder, type Source } from './sources.ts'
import { isNode, walk, withoutParentheses } from './syntax.ts'

export interface LongFunction {
  readonly path: string
  readonly line: number
  readonly name: string
  readonly lines: number
}

/** Lists the functions of a file that have more lines than `most`, those of inner functions included. */
export function longFunctionsOf({ path, text }: Source, most: number): LongFunction[] {
  const lineOf = createLineFinder(text)
  const found: LongFunction[] = []
  walk({ path, text }, (node, name) => {
    if (!functions.has(node.type)) return
    const line = lineOf(node.start)
    const lines = lineOf(node.end) - line + 1
    if (lines > most) found.push({ path, line, name: name ?? 'anonymous', lines })
  })
  return found
}

/** Lists `...(x === undefined ? {} : { x })` and `...(x && { x })`: option types that do not admit `undefined`. */
export function conditionalSpreadsOf({ path, text }: Source): string[] {
  const lineOf = createLineFinder(text)
  const found: string[] = []
  walk({ path, text }, ({ type, argument, start }) => {
    const chosen = withoutParentheses(argument)
    if (type !== 'SpreadElement') return
    const isOneOf =
      chosen?.type === 'ConditionalExpression' &&
      [chosen['consequent'], chosen['alternate']].some(isEmptyObject)
    const isBoth = chosen?.type === 'LogicalExpression' && chosen['operator'] === '&&'
    if (isOneOf || isBoth) found.push(`${path}:${lineOf(start)}`)
  })
  return found
}

function isEmptyObject(value: unknown): boolean {
  return isNode(value) && value.type === 'ObjectExpression' && [value['properties']].flat().length === 0
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
