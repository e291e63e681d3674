import { dirname } from 'node:path'
import { importedBy, type Source } from './sources.ts'

export interface Way {
  readonly files: number
  readonly folders: number
  /** Files of the longest chain in which each imports the next. */
  readonly deepest: number
}

/** Measures what is loaded for a command: the files that its own file reaches by imports, those of types left out. */
export function measureWay(entry: string, sources: readonly Source[]): Way {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const depths = new Map<string, number>()
  const depthOf = (path: string): number => {
    const source = byPath.get(path)
    if (source === undefined) return 0
    const known = depths.get(path)
    if (known !== undefined) return known
    // A circle, which the order of the layers forbids, would end here.
    depths.set(path, 0)
    const depth = 1 + Math.max(0, ...importedBy(withoutTypes(source)).map(depthOf))
    depths.set(path, depth)
    return depth
  }
  const deepest = depthOf(entry)
  return {
    files: depths.size,
    folders: new Set([...depths.keys()].map((path) => dirname(path))).size,
    deepest,
  }
}

function withoutTypes({ path, text }: Source): Source {
  return { path, text: text.replace(/^(?:import|export) type [^']*'[^']*'/gm, '') }
}
