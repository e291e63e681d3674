import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'meriyah'
import type { Node } from './names.ts'

/** Gives the tree of a script, with the places of its text; `null` where it is none. */
export function treeOf(text: string): Node | null {
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
