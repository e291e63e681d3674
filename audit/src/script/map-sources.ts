import { isRecord } from '../model/token.ts'

/** The sources inside a source map, and why there may be others. */
export interface MapSources {
  readonly sources: readonly { readonly name: string | null; readonly content: string }[]
  readonly problem: 'unparsed' | 'deep' | null
}

/** Sections in sections. */
const deepest = 20

/** Reads the sources of a map and of its sections, with what is before the JSON of a map that no page may load as a script. */
export function mapSources(text: string): MapSources {
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
    isDeep ||= depth === deepest
    if (depth < deepest)
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
