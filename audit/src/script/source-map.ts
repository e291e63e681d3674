import { reportExposure } from '../formats/exposure.ts'
import { pay } from '../model/effort.ts'
import { inside } from '../model/location.ts'
import { isRecord } from '../model/token.ts'
import { takeTurn } from '../model/turns.ts'
import { scan } from '../scan/scan.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { valuesInJson } from './evaluate/json-size.ts'
import { foldWhereWorth } from './fold-where-worth.ts'

/** Memory for a byte of a map: as a text of two bytes a character, and as the texts in it. */
const bytesInMemory = 6

/** Maps in the sources of maps, and sections in sections. */
const deepest = 20

/** A map that is still to be read. */
interface MapText {
  readonly location: string
  readonly bytes: Buffer
  /** How many maps it is in. */
  readonly depth: number
  /** Format of the script whose comment it is; `null` where it is a file or a source. */
  readonly inlineIn: string | null
}

/**
 * Audits each source inside a map under its own name, with the maps inside it. @returns whether the bytes are a source map.
 * @throws OverEffort
 */
export function auditSourceMap(audit: ScanContext, location: string, bytes: Buffer): Promise<boolean> {
  return auditMaps(audit, { location, bytes, depth: 0, inlineIn: null })
}

/** Reads a map to its end before those inside it: what is read of one is let go before the next one is parsed. */
async function auditMaps(audit: ScanContext, first: MapText): Promise<boolean> {
  const waiting: MapText[] = []
  const isMap = await auditMap(audit, first, waiting)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    await auditMap(audit, next, waiting)
  return isMap
}

/** @param waiting takes the maps inside it */
async function auditMap(
  audit: ScanContext,
  { location, bytes, depth, inlineIn }: MapText,
  waiting: MapText[],
): Promise<boolean> {
  const { collector } = audit
  if (depth > deepest) {
    collector.gap('limit', location, `source maps more than ${deepest} deep`)
    return false
  }
  using _turn = takeTurn(bytesInMemory * bytes.length)
  const map = parsedMap(audit, location, bytes)
  let isMap = false
  for (const { sources, sourcesContent } of mapsIn(audit, location, map)) {
    isMap = true
    for (const [index, content] of sourcesContent.entries()) {
      if (typeof content !== 'string') continue
      const name = sources[index]
      const source = inside(location, typeof name === 'string' ? name : `source ${index}`)
      waiting.push(...(await auditSource(audit, source, content, depth + 1)))
    }
  }
  if (isMap && inlineIn !== null) reportExposure(audit, location, inlineIn, 'an inline source map')
  return isMap
}

function parsedMap({ collector, effort }: ScanContext, location: string, bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\)\]\}'[^\n]*\n/, '')
  pay(effort, text.length, 2 * text.length + bytesOfValue * valuesInJson(text))
  try {
    return JSON.parse(text)
  } catch {
    collector.gap('fallback', location, 'read as raw bytes: its source-map tables do not parse')
    return null
  }
}

/** @returns the maps inside it */
async function auditSource(
  audit: ScanContext,
  location: string,
  content: string,
  depth: number,
): Promise<Iterable<MapText>> {
  const file = { location, format: 'javascript', bytes: Buffer.from(content) }
  pay(audit.effort, content.length, content.length)
  audit.spent.entries += 1
  scan(audit, { ...file, isText: true })
  if (/^\s*\{/.test(content) && content.includes('"sourcesContent"'))
    return [{ location, bytes: file.bytes, depth, inlineIn: null }]
  // Sources are in any language; what was made of them ships as a script of its own.
  await foldWhereWorth(audit, { ...file, base: 0, isCertain: false })
  return inlineMapsOf(file, depth)
}

const inlineMap = 'sourceMappingURL=data:application/json'

interface Script {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
}

/** The source maps in the comments of a script. @throws OverEffort */
export async function auditInlineMaps(audit: ScanContext, script: Script): Promise<void> {
  for (const map of inlineMapsOf(script, 0)) await auditMaps(audit, map)
}

function* inlineMapsOf({ location, format, bytes }: Script, depth: number): Generator<MapText> {
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
    yield { location, bytes: map, depth, inlineIn: format }
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
