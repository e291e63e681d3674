import { pathEnd } from '../model/mint-call.ts'
import { tokensIn } from '../search/tokens-in.ts'
import { type FoldedText, fold, type Wanted } from './fold.ts'
import { treeOf } from './parse.ts'

/** The constant texts of a script, and why there may be others. */
export interface FoldedScript {
  readonly texts: readonly FoldedText[]
  readonly problem: 'unparsed' | 'costly' | null
}

/** How many scripts a script is a string of. */
const deepest = 2

/** Folds the constants of a script and of the scripts that it runs from its strings, whose places are that of the string. */
export function foldText(text: string, prefix: string): FoldedScript {
  const isTelling = (value: string) =>
    value.includes(prefix) || value.includes(pathEnd) || tokensIn(value).next().done !== true
  return foldIn(text, { prefix, isTelling }, 0)
}

function foldIn(text: string, wanted: Wanted, depth: number): FoldedScript {
  const tree = treeOf(text)
  if (tree === null) return { texts: [], problem: 'unparsed' }
  const { texts, scripts, isWhole } = fold(tree, wanted)
  if (depth === deepest) return { texts, problem: isWhole && scripts.length === 0 ? null : 'costly' }
  const inner = scripts.map((script) => ({
    ...foldIn(script.text, wanted, depth + 1),
    start: script.start,
  }))
  const isCostly = !isWhole || inner.some(({ problem }) => problem === 'costly')
  const inside = inner.flatMap(({ texts: own, start }) => own.map((one) => ({ ...one, start })))
  return { texts: [...texts, ...inside], problem: isCostly ? 'costly' : null }
}
