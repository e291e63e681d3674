import { reportExposure } from '../formats/exposure.ts'
import { inside } from '../model/location.ts'
import { findHits, type Hits, scan } from '../search/scan.ts'
import type { ScanContext } from '../search/scan-context.ts'
import { readScript } from './read-script.ts'

/** Maps in the sources of maps. */
const deepest = 20

/** A map that is still to be read. */
interface MapText {
  readonly location: string
  readonly bytes: Buffer
  /** How many maps it is in. */
  readonly depth: number
}

/** Audits each source inside a map under its own name, with the maps inside it. */
export async function auditSourceMap(audit: ScanContext, location: string, bytes: Buffer): Promise<void> {
  const waiting: MapText[] = [{ location, bytes, depth: 0 }]
  // A map is read to its end before those inside it: its sources are let go before the next one is parsed.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    waiting.push(...(await auditMap(audit, next)))
}

/** @returns the maps inside it */
async function auditMap(audit: ScanContext, { location, bytes, depth }: MapText): Promise<MapText[]> {
  const { collector } = audit
  if (depth > deepest) {
    collector.gap('limit', location, `source maps more than ${deepest} deep`)
    return []
  }
  const { sources, problem } = await audit.reader.sources(bytes.toString('utf8'))
  if (problem === 'unparsed')
    collector.gap('fallback', location, 'read as raw bytes: its source-map tables do not parse')
  else if (problem === 'deep') collector.gap('limit', location, `sections more than ${deepest} deep`)
  else if (problem !== null)
    collector.gap('limit', location, 'read as raw bytes: its sources take more than the limits allow')
  const waiting: MapText[] = []
  for (const [index, { name, content }] of sources.entries())
    waiting.push(
      ...(await auditSource(audit, inside(location, name ?? `source ${index}`), content, depth + 1)),
    )
  return waiting
}

/** @returns the maps inside it */
async function auditSource(
  audit: ScanContext,
  location: string,
  content: string,
  depth: number,
): Promise<readonly MapText[]> {
  const file = { location, format: 'javascript', bytes: Buffer.from(content) }
  audit.spent.entries += 1
  const hits = findHits(audit.searcher, file)
  if (hits.isEmpty) return []
  scan(audit, { ...file, isText: true }, hits)
  if (/^\s*\{/.test(content) && content.includes('"sourcesContent"'))
    return [{ location, bytes: file.bytes, depth }]
  // Sources are in any language; what was made of them ships as a script of its own.
  await readScript(audit, { ...file, base: 0, isCertain: false })
  return inlineMapsOf(audit, file, hits).map((map) => ({ ...map, depth }))
}

const inlineMap = 'sourceMappingURL=data:application/json'

interface Script {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
}

/** Reads the source maps in the comments of a script. */
export async function auditInlineMaps(audit: ScanContext, script: Script, hits: Hits): Promise<void> {
  for (const { bytes } of inlineMapsOf(audit, script, hits))
    await auditSourceMap(audit, script.location, bytes)
}

/** Those in which anything is found. That there is one is a finding, whatever is in it. */
function inlineMapsOf(
  audit: ScanContext,
  { location, format, bytes }: Script,
  { hasMap }: Hits,
): { location: string; bytes: Buffer }[] {
  const maps: { location: string; bytes: Buffer }[] = []
  let at = hasMap ? bytes.indexOf(inlineMap) : -1
  for (; at !== -1; at = bytes.indexOf(inlineMap, at + inlineMap.length)) {
    const head = /^[^,\s]{0,64};base64,/.exec(
      bytes.toString('latin1', at + inlineMap.length, at + inlineMap.length + 80),
    )
    if (head === null) continue
    const start = at + inlineMap.length + head[0].length
    let end = start
    while (isBase64[bytes[end] ?? 0] === 1) end += 1
    const map = Buffer.from(bytes.toString('latin1', start, end), 'base64')
    // Loaders of styles hold the comment without a map, to write one at run time.
    if (!/"(?:sources|sections)"/.test(map.toString('latin1'))) continue
    reportExposure(audit, location, format, 'an inline source map')
    if (!findHits(audit.searcher, { bytes: map }).isEmpty) maps.push({ location, bytes: map })
  }
  return maps
}

const isBase64 = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
)
