import type { FormatFile } from '../formats/audited-format.ts'
import { reportExposure } from '../formats/exposure.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { foldWhereWorth } from './fold-where-worth.ts'
import { auditSourceMap } from './source-map.ts'

const inlineMap = 'sourceMappingURL=data:application/json'
const inlineScript = /<script\b([^>]*)>([\s\S]*?)<\/script/gi
/** As XML writes a script down. */
const inCdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/d
const handler = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi

/** JavaScript in a file of its own, and the source maps inside it. */
export async function auditScriptFile(audit: ScanContext, file: FormatFile): Promise<void> {
  await foldWhereWorth(audit, { ...file, base: 0 })
  await auditInlineMaps(audit, file.location, file.format, file.bytes)
}

/** All scripts of an indexed bundle of React Native. */
export async function auditRamBundle(
  audit: ScanContext,
  { location, format, bytes }: FormatFile,
): Promise<void> {
  for (const script of modulesIn(bytes))
    await foldWhereWorth(audit, { location, format, isCertain: true, ...script })
}

/** A table of offsets, then one script after the other, each with a zero at its end. */
function* modulesIn(
  bytes: Buffer,
): Generator<{ readonly base: number; readonly bytes: Buffer; readonly file: Buffer }> {
  const count = bytes.length < 12 ? 0 : bytes.readUInt32LE(4)
  for (let base = 12 + count * 8; base < bytes.length; ) {
    const zero = bytes.indexOf(0, base)
    const end = zero === -1 ? bytes.length : zero
    if (end > base) yield { base, bytes: bytes.subarray(base, end), file: bytes }
    base = end + 1
  }
}

/** The scripts inside a page, those of its events, and the source maps inside them. */
export async function auditPage(audit: ScanContext, { location, bytes }: FormatFile): Promise<void> {
  const text = bytes.toString('latin1')
  const fold = (start: number, end: number, isCertain: boolean) =>
    foldWhereWorth(audit, {
      location,
      format: 'html',
      bytes: bytes.subarray(start, end),
      base: start,
      file: bytes,
      isCertain,
    })
  for (const match of text.matchAll(inlineScript)) {
    const [whole, attributes = '', script = ''] = match
    const [, type = 'text/javascript'] = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes) ?? []
    if (!/^(?:module|(?:text|application)\/(?:javascript|ecmascript|babel|jsx))?$/i.test(type)) continue
    const start = match.index + whole.indexOf('>') + 1
    const [from, to] = inCdata.exec(script)?.indices?.[1] ?? [0, script.length]
    await fold(start + from, start + to, !/babel|jsx/i.test(type))
  }
  for (const { indices } of text.matchAll(handler)) {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0]
    await fold(start, end, false)
  }
  await auditInlineMaps(audit, location, 'html', bytes)
}

async function auditInlineMaps(
  audit: ScanContext,
  location: string,
  format: string,
  bytes: Buffer,
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
    if (await auditSourceMap(audit, location, map))
      reportExposure(audit, location, format, 'an inline source map')
  }
}

const isBase64 = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
)
