import type { FormatFile } from '../formats/audited-format.ts'
import { exceptKnown } from '../model/collector.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { scanFlight, scanTornByMarkup } from '../scan/torn-texts.ts'
import { scriptOfAddress, withoutEntities } from './clues/script-addresses.ts'
import { foldWhereWorth } from './fold-where-worth.ts'
import { auditInlineMaps } from './source-map.ts'

/** As XML writes a script down. */
const inCdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/d
const handler = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi

const scriptAddress =
  /\s(?:src|href|action)\s*=\s*(?:"\s*((?:data|javascript):[^"]*)"|'\s*((?:data|javascript):[^']*)')/dgi

/** JavaScript in a file of its own, and the source maps inside it. */
export async function auditScriptFile(audit: ScanContext, file: FormatFile): Promise<void> {
  await foldWhereWorth(audit, { ...file, base: 0 })
  await auditInlineMaps(audit, file)
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
  const foldText = (base: number, script: string) =>
    foldWhereWorth(audit, {
      ...{ location, format: 'html', base, file: bytes, isCertain: false },
      bytes: Buffer.from(script, 'latin1'),
    })
  // Scripts that are no modules share their variables: one may name a piece that another one uses.
  const shared: [start: number, end: number][] = []
  for (const { attributes, start, end } of inlineScripts(text)) {
    const [, type = 'text/javascript'] = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes) ?? []
    if (!/^(?:module|(?:text|application)\/(?:javascript|ecmascript|babel|jsx))?$/i.test(type)) continue
    const script = text.slice(start, end)
    const [from, to] = inCdata.exec(script)?.indices?.[1] ?? [0, script.length]
    await fold(start + from, start + to, !/babel|jsx/i.test(type))
    if (!/module|babel|jsx/i.test(type)) shared.push([start + from, start + to])
  }
  const [first] = shared
  if (first !== undefined && shared.length > 1) {
    const joined = shared.map(([start, end]) => text.slice(start, end)).join(';\n')
    await foldWhereWorth(exceptKnown(audit), {
      ...{ location, format: 'html', base: first[0], file: bytes, isCertain: false },
      bytes: Buffer.from(joined, 'latin1'),
    })
  }
  for (const { indices } of text.matchAll(handler)) {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0]
    const written = text.slice(start, end)
    await foldText(start, written.includes('&') ? withoutEntities(written) : written)
  }
  for (const { indices } of text.matchAll(scriptAddress)) {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0]
    const script = scriptOfAddress(withoutEntities(text.slice(start, end)))
    if (script !== null) await foldText(start, script)
  }
  const page = { location, format: 'html', bytes, isText: true }
  scanTornByMarkup(audit, page)
  scanFlight(audit, page)
  await auditInlineMaps(audit, { location, format: 'html', bytes })
}

interface InlineScript {
  readonly attributes: string
  readonly start: number
  readonly end: number
}

/** Each element with a script in it that is closed. */
function* inlineScripts(page: string): Generator<InlineScript> {
  const opener = /<script\b/gi
  const closer = /<\/script/gi
  for (let match = opener.exec(page); match !== null; match = opener.exec(page)) {
    const start = page.indexOf('>', opener.lastIndex) + 1
    if (start === 0) return
    const attributes = page.slice(opener.lastIndex, start - 1)
    closer.lastIndex = start
    const close = closer.exec(page)
    if (close === null) return
    yield { attributes, start, end: close.index }
    opener.lastIndex = closer.lastIndex
  }
}
