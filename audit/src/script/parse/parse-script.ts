import { parse } from 'meriyah'
import { type Effort, pay } from '../../model/effort.ts'
import { extractExpressions } from './extract-expressions.ts'
import { withExportsAsObjects } from './listed-exports.ts'
import { isTooLargeForTree, makeRoomFor } from './parser-memory.ts'
import { type Node, nodesAt } from './scope.ts'

/** A tree of a script; its places are places in `text`. */
export interface ParsedScript {
  readonly tree: Node
  /** The text of the tree. */
  readonly source: string
  /** The place in the script of a place in the tree. */
  readonly placeOf: (start: number) => number
  /** How far what is at a place in the tree is from a piece of what is looked for; only of a part of a script. */
  readonly distanceOf?: (start: number) => number
  /** Only the expressions could be read, not the statements around them. */
  readonly isPartial: boolean
  /** There were more expressions than could be read. */
  readonly isCut: boolean
}

/** Steps of a parser for each character. */
const stepsOfCharacter = 6

/** Parses a script; expression by expression where it is no JavaScript, or too large. @throws OverEffort */
export function parseScript(text: string, prefix: string, effort: Effort): ParsedScript | null {
  pay(effort, text.length * stepsOfCharacter)
  makeRoomFor(text)
  const tree = isTooLargeForTree(text) ? null : treeOf(text)
  if (tree !== null) return { tree, source: text, placeOf: (start) => start, isPartial: false, isCut: false }
  return parseExpressions(text, prefix, effort)
}

/** A list of both, which each node would have besides, takes a third of a tree's memory. */
const placesOnly = { start: true, end: true, range: false }

/** Gives the tree of a script; `null` where it is none. */
export function treeOf(text: string): Node | null {
  return treeAs('module', text) ?? treeAs('script', text)
}

type SourceType = 'module' | 'script'

function treeAs(sourceType: SourceType, text: string): Node | null {
  try {
    const tree = parse(text, {
      sourceType,
      ranges: placesOnly,
      next: true,
      jsx: true,
      webcompat: true,
      globalReturn: sourceType === 'script',
    }) as unknown as Node
    return withExportsAsObjects(tree, text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}

/** One tree of declarations and expressions, from what parses of its own. */
function parseExpressions(text: string, prefix: string, effort: Effort): ParsedScript | null {
  const { expressions, isCut } = extractExpressions(text, prefix, effort)
  const statements = expressions.map(({ name, text: expression, start, distance }) => {
    // As a property too, for the members of an `enum` or a class.
    const head = name === null ? '(' : `var ${name} = this.${name} = (`
    const statement = `${head}${expression});\n`
    const sourceType = (['module', 'script'] as const).find((type) => treeAs(type, statement) !== null)
    return { statement, sourceType, start, distance, inStatement: head.length }
  })
  let made = ''
  const starts: { readonly made: number; readonly start: number; readonly distance: number }[] = []
  const bodies: (readonly (Node | null)[])[] = []
  // A statement that one of the two does not read would cost all that it does.
  for (const type of ['module', 'script'] as const) {
    const from = made.length
    for (const { statement, sourceType, start, distance, inStatement } of statements)
      if (sourceType === type) {
        starts.push({ made: made.length + inStatement, start, distance })
        made += statement
      }
    const tree = treeAs(type, ' '.repeat(from) + made.slice(from))
    if (tree === null) return null
    bodies.push(nodesAt(tree, 'body'))
  }
  if (starts.length === 0 && !isCut) return null
  const tree = { type: 'Program', start: 0, end: made.length, body: bodies.flat() } as Node
  const statementAt = (place: number) => {
    let low = 0
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((starts[middle]?.made ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return starts[Math.max(0, low - 1)] ?? { made: 0, start: 0, distance: 0 }
  }
  const placeOf = (place: number) => {
    const { made, start } = statementAt(place)
    return start + Math.max(0, place - made)
  }
  const distanceOf = (place: number) => statementAt(place).distance
  return { tree, source: made, placeOf, distanceOf, isPartial: true, isCut }
}
