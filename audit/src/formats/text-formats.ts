import type { Hits } from '../search/scan.ts'
import type { ScanContext } from '../search/scan-context.ts'
import type { Extent, StringTable } from '../search/string-table.ts'
import type { TextBeginning, TextFormat } from './audited-format.ts'
import { reportExposure } from './exposure.ts'

/** Text formats, recognised by their names and beginnings. */

const inMarkup = /<key>([^<]*)<\/key>|\s(?:android:)?(?:name|id)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/dg

type Range = readonly [start: number, end: number]

/** Creates a reader of the names in a text; other text has no table. */
function readNames(names: (text: string) => Iterable<Range>): (bytes: Buffer) => StringTable {
  const extentsIn = function* (bytes: Buffer): Generator<Extent> {
    for (const [start, end] of names(bytes.toString('latin1')))
      if (end > start) yield { start, end, view: 'utf-8', role: 'name' }
  }
  return (bytes) => ({ extents: extentsIn(bytes), regions: [] })
}

function* namesInMarkup(text: string): Generator<Range> {
  for (const { indices } of text.matchAll(inMarkup))
    yield indices?.slice(1).find((range) => range !== undefined) ?? [0, 0]
}

const quote = 0x22
const backslash = 0x5c
const newline = 0x0a

/** Texts in quotation marks before a mark; none of them goes on over the end of a line, where lines end them. */
function quotedBefore(mark: string, areLinesEnds: boolean): (text: string) => Iterable<Range> {
  const behind = new RegExp(`\\s*${mark}`, 'y')
  return function* (text) {
    for (let open = text.indexOf('"'); open !== -1; ) {
      let at = open + 1
      let code = text.charCodeAt(at)
      while (at < text.length && code !== quote && !(areLinesEnds && code === newline)) {
        at += code === backslash ? 2 : 1
        code = text.charCodeAt(at)
      }
      if (code === quote) {
        behind.lastIndex = at + 1
        if (behind.test(text)) {
          yield [open + 1, at]
          at += 1
        }
      }
      // The quote that ends one text may begin the next, if that text is no name.
      open = text.indexOf('"', at)
    }
  }
}

const inJson = quotedBefore(':', true)
const inStrings = quotedBefore('=', false)

/** A key, a name or an id of XML and of property lists in XML. */
const readMarkup = readNames(namesInMarkup)

function isScriptName(name: string): boolean {
  return /\.[cm]?[jt]sx?$|\.jsbundle$|\.bundle$/i.test(name)
}

const textName =
  /\.(?:css|md|txt|csv|properties|ya?ml|toml|kts?|java|swift|dart|pro|cfg|ini|log|gradle|py|rb|sh)$/i

function isPropertyList({ head }: TextBeginning): boolean {
  return /<!DOCTYPE plist|<plist/.test(head)
}

function isCollection({ head }: TextBeginning): boolean {
  return /^(?:\)\]\}'.*\n)?[{[]/.test(head)
}

function isEnvironment(name: string): boolean {
  return /^\.env(?:\.|$)|\.env$/i.test(name)
}

export const environmentFile: TextFormat = {
  by: 'text',
  name: 'env',
  isMeant: isEnvironment,
  mayTell: isEnvironment,
  inspect: (audit, location) => reportExposure(audit, location, 'env', 'an environment file'),
}

export const html: TextFormat = {
  by: 'text',
  name: 'html',
  isReadWhole: true,
  isMeant: (name, { head, beginning }) =>
    /^<(?:!doctype html|html|head|body|script)/i.test(head) ||
    /\.x?html?$/i.test(name) ||
    (/^<(?:\?xml|svg|!doctype svg|!--)/i.test(head) &&
      /<svg\b/i.test(head) &&
      /<script\b/i.test(beginning)) ||
    (/\.(?:vue|svelte)$/i.test(name) && !isPropertyList({ head, beginning })),
  read: readMarkup,
  async readMore(audit, file) {
    const { auditPage } = await import('../script/page.ts')
    await auditPage(audit, file)
  },
}

/** Localised texts of Apple's platforms: what is before `=` is a name. */
export const stringsFile: TextFormat = {
  by: 'text',
  name: 'strings',
  isMeant: (name, { head }) => /\.strings$/i.test(name) && !/^<[?!]/.test(head),
  read: readNames(inStrings),
}

export const propertyList: TextFormat = {
  by: 'text',
  name: 'plist',
  isMeant: (_, text) => isPropertyList(text),
  read: readMarkup,
}

export const xml: TextFormat = {
  by: 'text',
  name: 'xml',
  isMeant: (name, { head }) => !isScriptName(name) && /^<[?!a-z]/i.test(head),
  read: readMarkup,
}

/** Lists of sources alone are no map: build files, such as node-gyp's, have them as well. */
function isMapped(head: string): boolean {
  return /"(?:mappings|sections)"/.test(head) || (/"version"\s*:/.test(head) && /"sources"\s*:/.test(head))
}

function isMap(bytes: Buffer): boolean {
  return isMapped(bytes.toString('latin1', 0, 2048))
}

/** A brace, a bracket, and the `)]}'` before the JSON of a map. */
const opensCollection = new Set([0x7b, 0x5b, 0x29])

export const sourceMap: TextFormat = {
  by: 'text',
  name: 'source-map',
  isReadWhole: true,
  isReadTwice: true,
  isMeant: (name, text) =>
    !isScriptName(name) && isCollection(text) && (isMapped(text.head) || /\.map$/i.test(name)),
  read: readNames(inJson),
  mayTell: (name, bytes) => opensCollection.has(bytes[0] ?? 0) && (/\.map$/i.test(name) || isMap(bytes)),
  async inspect(audit, location, bytes, hits) {
    if (isMap(bytes) || bytes.includes('"mappings"'))
      reportExposure(audit, location, 'source-map', 'a source map')
    if (!mayHold(audit, bytes, hits)) return
    const { auditSourceMap } = await import('../script/source-map.ts')
    await auditSourceMap(audit, location, bytes)
  },
}

/** Says whether a map holds more than what every script has: only then it is parsed. */
function mayHold({ gate }: ScanContext, bytes: Buffer, found: Hits): boolean {
  const { hits, packed, xored, escapes } = found
  if (found.hasMap || hits.length + packed.length + xored.length + escapes.length > 0) return true
  const text = found.mayBePieced ? bytes.toString('latin1') : ''
  // Quotes of a map inside the map have more backslashes than the gate reads.
  const isNested = text.includes('sourcesContent\\')
  return isNested || gate.pieceIn(text) !== -1 || gate.holdsMore(text)
}

export const json: TextFormat = {
  by: 'text',
  name: 'json',
  isMeant: (name, text) => !isScriptName(name) && isCollection(text),
  read: readNames(inJson),
}

export const javascript: TextFormat = {
  by: 'text',
  name: 'javascript',
  isReadWhole: true,
  isMeant: (name, { beginning }) =>
    isScriptName(name) ||
    (!textName.test(name) && /(?:\bfunction\b|=>|\bvar |\bconst |\blet |__d\()/.test(beginning)),
  // Typed sources are folded expression by expression.
  isCertain: (name, { beginning }) =>
    isScriptName(name) && !/\.[cm]?tsx?$/i.test(name) && !beginning.includes('@flow'),
  async readMore(audit, file) {
    const { auditScriptFile } = await import('../script/page.ts')
    await auditScriptFile(audit, file)
  },
}

export const plainText: TextFormat = {
  by: 'text',
  name: 'text',
  isMeant: () => true,
}
