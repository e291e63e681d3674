import { stripTypeScriptTypes } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'meriyah'
import { pathEnd } from '../model/mint-call.ts'
import { isRecord } from '../model/token.ts'
import { tokensIn } from '../search/around.ts'
import { type FoldedText, fold, type Wanted } from './fold.ts'
import type { Node } from './names.ts'

/** The work of the thread: a script whose constants are folded, or a source map. */
export interface Order {
  readonly read: 'script' | 'map'
  readonly text: string
}

// Types of sources are stripped by a part of Node that warns of itself.
process.removeAllListeners('warning')

parentPort?.on('message', ({ read, text }: Order) =>
  parentPort?.postMessage(read === 'map' ? mapSources(text) : foldText(text, workerData as string)),
)

/** The constant texts of a script, and why there may be others. */
export interface FoldedScript {
  readonly texts: readonly FoldedText[]
  readonly problem: 'unparsed' | 'costly' | null
}

/** How many scripts a script is a string of. */
const deepest = 2

/** Folds the constants of a script and of the scripts that it runs from its strings, whose places are that of the string. */
function foldText(text: string, prefix: string): FoldedScript {
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

/** Gives the tree of a script, with the places of its text; `null` where it is none. */
function treeOf(text: string): Node | null {
  const plain = treeAs('module', text) ?? treeAs('script', text)
  if (plain !== null) return plain
  const stripped = withoutTypes(text)
  return stripped === null ? null : (treeAs('module', stripped) ?? treeAs('script', stripped))
}

/** A list of both, which each node would have besides, takes a third of a tree's memory. */
const placesOnly = { start: true, end: true, range: false }

function treeAs(sourceType: 'module' | 'script', text: string): Node | null {
  return orNull(
    () =>
      parse(text, {
        sourceType,
        ranges: placesOnly,
        next: true,
        jsx: true,
        webcompat: true,
        globalReturn: sourceType === 'script',
      }) as unknown as Node,
  )
}

/** The same text with blanks in place of its types. */
function withoutTypes(text: string): string | null {
  return orNull(() => stripTypeScriptTypes(text))
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}

/** The sources inside a source map, and why there may be others. */
export interface MapSources {
  readonly sources: readonly { readonly name: string | null; readonly content: string }[]
  readonly problem: 'unparsed' | 'deep' | null
}

/** Sections in sections. */
const deepestSection = 20

/** Reads the sources of a map and of its sections, with what is before the JSON of a map that no page may load as a script. */
function mapSources(text: string): MapSources {
  const sources: { name: string | null; content: string }[] = []
  let isDeep = false
  const read = (map: unknown, depth: number) => {
    if (!isRecord(map)) return
    const { sources: names, sourcesContent, sections } = map as Record<string, unknown>
    if (Array.isArray(names) && Array.isArray(sourcesContent))
      for (const [index, content] of sourcesContent.entries()) {
        const name: unknown = names[index]
        if (typeof content === 'string')
          sources.push({ name: typeof name === 'string' ? name : null, content })
      }
    if (!Array.isArray(sections)) return
    isDeep ||= depth === deepestSection
    if (depth < deepestSection)
      for (const section of sections) if (isRecord(section)) read(section['map'], depth + 1)
  }
  try {
    read(JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')), 0)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { sources: [], problem: 'unparsed' }
  }
  return { sources, problem: isDeep ? 'deep' : null }
}
