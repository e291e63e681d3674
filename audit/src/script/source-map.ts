import { reportExposure } from '../formats/exposure.ts'
import { pay } from '../model/effort.ts'
import { inside } from '../model/location.ts'
import { isRecord } from '../model/token.ts'
import { takeTurn } from '../model/turns.ts'
import { scan } from '../scan/scan.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { foldWhereWorth } from './fold-where-worth.ts'
import { valuesInJson } from './json-size.ts'

/** Memory for a byte of a map: as a text of two bytes a character, and as the texts in it. */
const bytesInMemory = 6

/** Maps in the sources of maps, and sections in sections. */
const deepest = 20

/**
 * Audits each source inside a map under its own name, with the maps inside it. @returns whether the bytes are a source map.
 * @throws OverEffort
 */
export async function auditSourceMap(
  audit: ScanContext,
  location: string,
  bytes: Buffer,
  depth = 0,
): Promise<boolean> {
  const { collector, effort } = audit
  if (depth > deepest) {
    collector.gap('limit', location, `source maps more than ${deepest} deep`)
    return false
  }
  using _turn = takeTurn(bytesInMemory * bytes.length)
  const text = bytes.toString('utf8').replace(/^\)\]\}'[^\n]*\n/, '')
  pay(effort, text.length, 2 * text.length + bytesOfValue * valuesInJson(text))
  let map: unknown
  try {
    map = JSON.parse(text)
  } catch {
    collector.gap('fallback', location, 'read as raw bytes: its source-map tables do not parse')
    return false
  }
  let isMap = false
  for (const { sources, sourcesContent } of mapsIn(audit, location, map)) {
    isMap = true
    for (const [index, content] of sourcesContent.entries()) {
      if (typeof content !== 'string') continue
      const name = sources[index]
      await auditSource(
        audit,
        inside(location, typeof name === 'string' ? name : `source ${index}`),
        content,
        depth,
      )
    }
  }
  return isMap
}

async function auditSource(
  audit: ScanContext,
  location: string,
  content: string,
  depth: number,
): Promise<void> {
  const file = { location, format: 'javascript', bytes: Buffer.from(content) }
  pay(audit.effort, content.length, content.length)
  audit.spent.entries += 1
  scan(audit, { ...file, isText: true })
  if (/^\s*\{/.test(content) && content.includes('"sourcesContent"')) {
    await auditSourceMap(audit, location, file.bytes, depth + 1)
    return
  }
  // Sources are in any language; what was made of them ships as a script of its own.
  await foldWhereWorth(audit, { ...file, base: 0, isCertain: false })
  await auditInlineMaps(audit, file, depth + 1)
}

const inlineMap = 'sourceMappingURL=data:application/json'

/** The source maps in the comments of a script. @throws OverEffort */
export async function auditInlineMaps(
  audit: ScanContext,
  { location, format, bytes }: { readonly location: string; readonly format: string; readonly bytes: Buffer },
  depth = 0,
): Promise<void> {
  for (let at = bytes.indexOf(inlineMap); at !== -1; at = bytes.indexOf(inlineMap, at + inlineMap.length)) {
    const head = /^[^,\s]{0,64};base64,/.exec(
      bytes.toString('latin1', at + inlineMap.length, at + inlineMap.length + 80),
    )
    if (head === null) continue
    const start = at + inlineMap.length + head[0].length
    let end = start
    while (isBase64[bytes[end] ?? 0] === 1) end += 1
    // Loaders of styles hold the comment without a map, to write one at run time.
    if (end === start) continue
    const map = Buffer.from(bytes.toString('latin1', start, end), 'base64')
    if (await auditSourceMap(audit, location, map, depth))
      reportExposure(audit, location, format, 'an inline source map')
  }
}

const isBase64 = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
)

interface SourceMap {
  readonly sources: readonly unknown[]
  readonly sourcesContent: readonly unknown[]
}

/** The map itself, and those of its sections. */
function* mapsIn(audit: ScanContext, location: string, map: unknown, depth = 0): Generator<SourceMap> {
  if (!isRecord(map)) return
  const { sources, sourcesContent, sections } = map as Record<string, unknown>
  if (Array.isArray(sources))
    yield { sources, sourcesContent: Array.isArray(sourcesContent) ? sourcesContent : [] }
  if (!Array.isArray(sections)) return
  if (depth === deepest) audit.collector.gap('limit', location, `sections more than ${deepest} deep`)
  else
    for (const section of sections)
      if (isRecord(section)) yield* mapsIn(audit, location, section['map'], depth + 1)
}

/** Memory for a value of JSON. */
const bytesOfValue = 64
