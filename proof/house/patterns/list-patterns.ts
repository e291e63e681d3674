import { isTest, type Source } from '../sources.ts'
import { isNode, nameOf, walk } from '../syntax.ts'

/** A regular expression of the product, as `/source/flags`, and the files that write it. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  readonly files: readonly string[]
}

const product = /^(?:src|audit\/src|suites|contracts)\//

function productOf(sources: readonly Source[]): Source[] {
  return sources.filter(({ path }) => product.test(path) && !isTest(path) && !path.endsWith('.docker.ts'))
}

/** Lists each literal once. `d` is left out: it changes nothing of the search. */
export function listPatterns(sources: readonly Source[]): ReadonlyMap<string, Pattern> {
  const patterns = new Map<string, Pattern>()
  for (const source of productOf(sources))
    walk(source, ({ type, regex }) => {
      if (type !== 'Literal' || typeof regex !== 'object' || regex === null) return
      const { pattern, flags } = regex as { pattern: string; flags: string }
      const searched = flags.replace('d', '')
      const key = `/${pattern}/${searched}`
      const files = new Set([...(patterns.get(key)?.files ?? []), source.path])
      patterns.set(key, { source: pattern, flags: searched, files: [...files] })
    })
  return patterns
}

/** Lists the files that assemble a pattern from pieces: no analysis of literals reaches it. */
export function listAssemblers(sources: readonly Source[]): string[] {
  const files = new Set<string>()
  for (const source of productOf(sources))
    walk(source, ({ type, callee }) => {
      const isCall = type === 'NewExpression' || type === 'CallExpression'
      if (isCall && isNode(callee) && nameOf(callee) === 'RegExp') files.add(source.path)
    })
  return [...files].toSorted()
}
