import { asar } from './asar.ts'
import { assemblies } from './assemblies.ts'
import { archivesBehindStubs, packedPrograms, shellArchive } from './behind-stub.ts'
import type {
  ContainerFormat,
  Decompressor,
  Expanded,
  OpeningOf,
  Parts,
  Problem,
} from './container-format.ts'
import { encrypted, opaqueFormats } from './opaque.ts'
import type { Source } from './source.ts'
import { tar } from './tar.ts'
import { unity } from './unity.ts'
import { zip } from './zip.ts'
import type { Zip } from './zip-headers.ts'
import { brotli, gzip, zlib, zstd } from './zlib-compressions.ts'

/** Every format that is opened or is a gap. Of two that fit, the first is taken. */
const containerFormats: readonly ContainerFormat[] = [
  tar,
  asar,
  gzip,
  zstd,
  brotli,
  // Its mark is two bytes: what does not become whole is something else that begins so.
  zlib,
  encrypted,
  ...opaqueFormats,
  ...archivesBehindStubs,
  ...packedPrograms,
  shellArchive,
  assemblies,
  unity,
  // Last, since the look for it reads all bytes.
  zip,
]

/** The reader for each kind of format. A kind that no reader handles does not compile. */
interface Readers {
  entries(source: Source): Zip | null
  parts(source: Source): (Parts & { readonly format: string }) | null
  contents(name: string, bytes: Buffer, bound: number): Expanded | null
  members: OpeningOf<'members'>['read']
  /** The reason why a file of a known format is not opened; `null` for any other file. */
  gap(source: Source, name: string): Problem | null
}

export type Containers = { readonly [Kind in ContainerFormat['opens']]: Readers[Kind] } & {
  /**
   * Says whether any of the readers may want these bytes. The look costs next to nothing and is right
   * wherever it says no. It does not look for files that are packed into native code: native code is always
   * looked at.
   */
  mayBeOpened(name: string, bytes: Buffer): boolean
  /** For what is too large to be in memory whole: see `openLarge` of a format. */
  openLarge(name: string, head: Buffer): Decompressor | string | null
  /** Says whether the first bytes alone are those of a container. */
  isHead(name: string, head: Buffer): boolean
}

/** Readers that try each of the formats, in their order. */
export function createContainers(formats: readonly ContainerFormat[]): Containers {
  const those = <Kind extends ContainerFormat['opens']>(kind: Kind) =>
    formats.filter((format): format is OpeningOf<Kind> => format.opens === kind)
  const [withEntries, withParts, withMembers] = [those('entries'), those('parts'), those('members')]
  const [withContents, gaps] = [those('contents'), those('gap')]
  const openLarge = (name: string, head: Buffer) =>
    firstOf(withContents, (format) => format.openLarge(name, head))
  return {
    mayBeOpened: createLook(formats),
    entries: (source) => firstOf(withEntries, (format) => format.read(source)),
    parts: (source) =>
      firstOf(withParts, (format) => {
        const parts = format.read(source)
        return parts === null ? null : { ...parts, format: format.name }
      }),
    contents: (name, bytes, bound) => firstOf(withContents, (format) => format.expand(name, bytes, bound)),
    gap: (source, name) => gaps.find((format) => format.recognises(source, name))?.problem ?? null,
    *members(name, bytes, bound) {
      for (const format of withMembers) yield* format.read(name, bytes, bound)
    },
    openLarge,
    isHead: (name, head) =>
      [...withEntries, ...withParts, ...withMembers].some((format) => format.isHead?.(head, name) === true) ||
      typeof (openLarge(name, head) ?? '') === 'object',
  }
}

export const defaultContainers = createContainers(containerFormats)

function firstOf<Format, Read>(
  formats: readonly Format[],
  read: (format: Format) => Read | null,
): Read | null {
  for (const format of formats) {
    const found = read(format)
    if (found !== null) return found
  }
  return null
}

/** One lookup of the first two bytes, and the few formats that have no mark there. */
function createLook(formats: readonly ContainerFormat[]): Containers['mayBeOpened'] {
  const beginnings = new Set(formats.flatMap(({ begins = [] }) => begins.map(beginningOf)))
  const endings = formats.flatMap(({ suffixes = [] }) =>
    suffixes.map((suffix) => suffix.replace(/\W/g, '\\$&')),
  )
  const isNamed = endings.length === 0 ? /(?!)/ : new RegExp(`(?:${endings.join('|')})$`, 'i')
  const looks = formats.flatMap(({ mayBe }) => mayBe ?? [])
  return (name, bytes) => {
    if (beginnings.has(beginningOf(bytes)) || isNamed.test(name)) return true
    for (const mayBe of looks) if (mayBe(bytes)) return true
    return false
  }
}

/** In big endian. */
function beginningOf(bytes: Buffer): number {
  return ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
}
