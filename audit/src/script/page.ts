import type { FormatFile } from '../formats/audited-format.ts'
import type { ScanContext } from '../search/scan-context.ts'
import { readScript } from './read-script.ts'
import { auditInlineMaps } from './source-map.ts'

/** As XML writes a script down. */
const inCdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/d
const handler = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi

/** JavaScript in a file of its own, and the source maps inside it. */
export async function auditScriptFile(audit: ScanContext, file: FormatFile): Promise<void> {
  reportObfuscator(audit, file)
  if (file.hits.mayBePieced) await readScript(audit, { ...file, base: 0 })
  await auditInlineMaps(audit, file, file.hits)
}

/** All scripts of an indexed bundle of React Native. */
export async function auditRamBundle(audit: ScanContext, file: FormatFile): Promise<void> {
  const { location, format, bytes } = file
  reportObfuscator(audit, file)
  if (!file.hits.mayBePieced) return
  for (const script of modulesIn(bytes))
    await readScript(audit, { location, format, isCertain: true, ...script })
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
export async function auditPage(audit: ScanContext, file: FormatFile): Promise<void> {
  reportObfuscator(audit, file)
  if (file.hits.mayBePieced) await foldScripts(audit, file)
  await auditInlineMaps(audit, file, file.hits)
}

async function foldScripts(audit: ScanContext, { location, format, bytes }: FormatFile): Promise<void> {
  const text = bytes.toString('latin1')
  const fold = (start: number, end: number, isCertain: boolean) =>
    readScript(audit, {
      location,
      format,
      bytes: bytes.subarray(start, end),
      base: start,
      file: bytes,
      isCertain,
    })
  for (const { attributes, start, end } of inlineScripts(text)) {
    const [, type = 'text/javascript'] = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes) ?? []
    if (!/^(?:module|(?:text|application)\/(?:javascript|ecmascript|babel|jsx))?$/i.test(type)) continue
    const script = text.slice(start, end)
    const [from, to] = inCdata.exec(script)?.indices?.[1] ?? [0, script.length]
    await fold(start + from, start + to, !/babel|jsx/i.test(type))
  }
  for (const { indices } of text.matchAll(handler)) {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0]
    await fold(start, end, false)
  }
}

function reportObfuscator({ collector }: ScanContext, { location, bytes, hits }: FormatFile): void {
  const by = hits.mayBeObfuscated ? obfuscatorOf(bytes.toString('utf8')) : null
  if (by !== null)
    collector.gap(
      'obfuscated',
      location,
      `a script obfuscated by ${by}, whose strings are decoded when it runs`,
    )
}

/** Each element with a script in it that is closed. */
function* inlineScripts(page: string) {
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

// Traces that obfuscators of JavaScript leave behind, also after a minifier.

/** A list of strings that is turned until a sum is right: both ends of the attempt move its first string to the end. */
const turning =
  /catch\s*(?:\(\s*[\w$]+\s*\)\s*)?\{\s*([\w$]+)(?:\.push|\[(['"])push\2\])\(\s*\1(?:\.shift|\[(['"])shift\3\])\(\)\s*\)/

/** The alphabet of base64 with small letters first, by which such a list is decoded. */
const swappedAlphabet = /xyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\+\/=?['"`]/

/** Other tools that hide strings until the script runs, with a part of every script that they write. */
const obfuscators: readonly { readonly by: string; readonly sign: RegExp }[] = [
  { by: 'JSFuck', sign: /!\[\]\+[[\]()!+]{80}/ },
  // Its table of digits, which are written in underscores and dollar signs.
  { by: 'jjencode', sign: /=\{___:\+\+[\w$]{1,20},\$\$\$\$:/ },
  // Its digits are faces: a Cyrillic letter between two Japanese marks, also as the bytes of UTF-8.
  {
    by: 'aaencode',
    sign: /\((?:\xef\xbe\x9f\xd0\x94\xef\xbe\x9f|\uff9f\u0414\uff9f)\)\s?\[(?:\xef\xbe\x9f|\uff9f)/,
  },
  { by: 'a packer', sign: /\beval\(function\(p,a,c,k,e,[a-z]\)/ },
  // It writes strings to the base of 91, whose values come in 13 or 14 bits.
  {
    by: 'js-confuser',
    sign: /&\s*(?:0x1fff|8191)\)\s*>\s*(?:0x58|88)\s*\?\s*(?:0xd|13)\s*:\s*(?:0xe|14)/,
  },
  // It seeds what mixes its numbers with these constants.
  {
    by: 'js-confuser',
    sign: /\b(?:0x9e3779b9|2654435769)\s*,\s*[\w$]+\s*=\s*(?:0x243f6a88|608135816)\b/,
  },
]

/** How base64's relatives of 91 characters write it, which are no obfuscators. */
const plainAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'

/** Names the tool that hid a script's strings from all but the running script; `null` without one. */
function obfuscatorOf(script: string): string | null {
  const found = obfuscators.find(({ sign }) => sign.test(script))
  if (found !== undefined && !script.includes(plainAlphabet)) return found.by
  return turning.test(script) || decodesSwapped(script) ? 'javascript-obfuscator' : null
}

/** Beside the alphabet: bytes that become escapes, and those a text. */
const decoding = /['"`]%['"`][\s\S]{0,80}['"`]00['"`][\s\S]{0,120}slice/
const farthest = 1500

/** Says whether a script decodes base64 with small letters first. */
function decodesSwapped(script: string): boolean {
  const at = script.search(swappedAlphabet)
  return at !== -1 && decoding.test(script.slice(at, at + farthest))
}
