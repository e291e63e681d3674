import { commentsOf, createLineFinder, type Source } from './sources.ts'
import { isNode, type Node, nameOf, walk } from './syntax.ts'

/** A relative clause as the subject, a question or a genitive: the reader meets the verb last. */
const heavy = /^(?:what|of|whether|in which|that)\b/i

export interface Opening {
  readonly path: string
  readonly line: number
  readonly kind: 'comment' | 'title'
  readonly text: string
}

/** Finds comments and titles of tests that do not begin with a verb or a noun. */
export function findHeavyOpenings(source: Source): Opening[] {
  const { path } = source
  const comments = commentsOf(source).map((comment) => ({ ...comment, kind: 'comment' as const }))
  const titles = path.endsWith('.test.ts') ? titlesOf(source) : []
  return [...comments, ...titles]
    .filter((one) => heavy.test(one.text))
    .map(({ line, kind, text }) => ({ path, line, kind, text: text.slice(0, 100) }))
}

const titled = new Set(['test', 'it', 'describe'])

function titlesOf(source: Source) {
  const lineOf = createLineFinder(source.text)
  const found: { line: number; text: string; kind: 'title' }[] = []
  walk(source, (node) => {
    const text = titleOf(node)
    if (text !== null) found.push({ line: lineOf(node.start), text, kind: 'title' })
  })
  return found
}

function titleOf({ type, callee, arguments: given }: Node): string | null {
  if (type !== 'CallExpression' || !titled.has(nameOf(callee) ?? '')) return null
  const [title] = [given].flat()
  return isNode(title) && typeof title['value'] === 'string' ? title['value'] : null
}
