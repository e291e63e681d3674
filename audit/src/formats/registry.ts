import { arsc } from './arsc.ts'
import type { AuditedFormat, OtherFormat, Traits } from './audited-format.ts'
import { binaryXml } from './axml.ts'
import { binaryPropertyList } from './bplist.ts'
import { dex } from './dex.ts'
import { dotnet } from './dotnet.ts'
import { elf } from './elf.ts'
import { hermes } from './hermes.ts'
import { il2cppMetadata } from './il2cpp.ts'
import { javaClass } from './java-class.ts'
import { fatMachO, machO } from './mach-o.ts'
import { pe } from './pe.ts'
import { protoResources, protoXml } from './protobuf.ts'
import { ramBundle } from './ram-bundle.ts'
import { sqlite } from './sqlite.ts'
import {
  environmentFile,
  html,
  javascript,
  json,
  plainText,
  propertyList,
  sourceMap,
  stringsFile,
  xml,
} from './text-formats.ts'
import { isUtf16, isWideText } from './utf-16.ts'
import { wasm } from './wasm.ts'

/** Bytes of no format that is known. */
const binary: OtherFormat = {
  by: 'rest',
  name: 'binary',
}

/** Every format of files that contain no other, by which the audit reads them. Of two that fit, the first is taken. */
export const auditedFormats: readonly AuditedFormat[] = [
  dex,
  hermes,
  arsc,
  binaryXml,
  binaryPropertyList,
  // Before class files, which have the same mark.
  fatMachO,
  machO,
  javaClass,
  dotnet,
  pe,
  elf,
  wasm,
  sqlite,
  ramBundle,
  il2cppMetadata,
  protoResources,
  protoXml,
  environmentFile,
  html,
  stringsFile,
  propertyList,
  xml,
  sourceMap,
  json,
  javascript,
  plainText,
  binary,
]

/** The format of a file; without `read` where its strings are in no table. */
export type Format = Omit<Traits, 'mayTell'> & {
  readonly isText: boolean
  /** True for a script whose name says so, and not only its content. */
  readonly isCertain: boolean
}

export interface Formats {
  /** Recognises a format by content; the name decides only among texts and messages, which have no mark. */
  formatOf(name: string, bytes: Buffer): Format
  /** Says whether there may be something to say about a file in whose bytes nothing is found. */
  isSpecial(name: string, bytes: Buffer): boolean
}

/** Recognises some formats. Adding one means an entry in its own file, and a line in the list above. */
export function createFormats(formats: readonly AuditedFormat[]): Formats {
  const { mark: marked, name: named, text: texts, rest: others } = grouped(formats)
  const byMark = Map.groupBy(
    marked.flatMap((format) => format.marks.map((mark) => ({ mark, format, read: asBinary(format) }))),
    ({ mark }) => mark,
  )
  const byFirstByte = Map.groupBy(
    named.map((format) => ({ format, read: asBinary(format) })),
    ({ format }) => format.firstByte,
  )
  const [other] = others.map(asBinary)
  if (other === undefined) throw new Error('there is no format for what no other format is')

  const toldMarks = new Set(
    marked.flatMap((format) =>
      format.inspect === undefined && format.lengthAt === undefined ? [] : format.marks,
    ),
  )
  const tellers = texts.flatMap(({ mayTell }) => mayTell ?? [])
  const binaryFormat = (name: string, bytes: Buffer): Format | null => {
    const first = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
    const known = byMark.get(first)?.find(({ format }) => format.isMeant?.(bytes) ?? true)
    if (known !== undefined) return known.read
    const alike = byFirstByte.get(first >>> 24)
    return alike?.find(({ format }) => format.isMeant(name, bytes))?.read ?? null
  }
  const textFormat = (name: string, beginning: string) => {
    const text = { head: headOf(beginning), beginning }
    const format = texts.find((one) => one.isMeant(name, text))
    return format === undefined ? null : { format, isCertain: format.isCertain?.(name, text) ?? false }
  }
  return {
    isSpecial: (name, bytes) =>
      (bytes.length >= 4 && toldMarks.has(bytes.readUInt32BE(0))) ||
      isWideText(bytes) ||
      tellers.some((mayTell) => mayTell(name, bytes)),
    formatOf(name, bytes) {
      const known = binaryFormat(name, bytes)
      if (known !== null) return known
      if (isText(bytes)) {
        const found = textFormat(name, bytes.toString('latin1', 0, 65_536))
        return found === null
          ? other
          : { ...traitsOf(found.format), isText: true, isCertain: found.isCertain }
      }
      const wide = isUtf16(bytes) ? textFormat(name, '') : null
      // Its table would be of other bytes: strings in UTF-16 end anywhere.
      if (wide === null) return other
      const { read: _, ...traits } = traitsOf(wide.format)
      return { ...traits, isText: false, isCertain: false }
    },
  }
}

export const defaultFormats = createFormats(auditedFormats)
export const { formatOf } = defaultFormats

/** Each way to recognise a format; one that is not handled here does not compile. */
type Grouped = { readonly [By in AuditedFormat['by']]: readonly Extract<AuditedFormat, { by: By }>[] }

function grouped(formats: readonly AuditedFormat[]): Grouped {
  const those = <By extends AuditedFormat['by']>(by: By) =>
    formats.filter((format): format is Extract<AuditedFormat, { by: By }> => format.by === by)
  return { mark: those('mark'), name: those('name'), text: those('text'), rest: those('rest') }
}

function traitsOf(format: AuditedFormat): Omit<Format, 'isText' | 'isCertain'> {
  const { by: _, ...traits } = format
  return traits
}

function asBinary(format: AuditedFormat): Format {
  return { ...traitsOf(format), isText: false, isCertain: false }
}

function headOf(beginning: string): string {
  return beginning
    .slice(0, 2048)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
}

/** No zero byte in its beginning or end; UTF-16 counts as binary, whose strings end anywhere. */
function isText(bytes: Buffer): boolean {
  if (bytes.length <= 65_536) return !bytes.includes(0)
  return !bytes.subarray(0, 65_536).includes(0) && !bytes.subarray(-4096).includes(0)
}
