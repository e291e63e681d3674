import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createAudit } from '../audit/context.ts'
import { auditContents } from '../audit/open.ts'
import { walkFiles } from '../audit/walk-files.ts'
import { defaultContainers } from '../containers/registry.ts'
import { defaultFormats } from '../formats/registry.ts'
import { AuditError } from '../model/audit-error.ts'
import type { Finding } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import { type Canary, createCanaries, encodings, listRooms, overwrite } from './canary.ts'
import type { SelfTest, SelfTestCell } from './report.ts'

/** Largest file in bytes whose copy is held in memory. Larger ones, and larger parts of containers, are read in windows. */
const largest = 48 * 1024 * 1024
/** A large part of a container is recognised by so many bytes, which are no copy of it. */
const windowHead = 65_536

interface Planted extends Pick<SelfTestCell, 'format' | 'encoding' | 'location'> {
  readonly canary: Canary
}

/**
 * Reads files into memory, overwrites strings in them and in the parts of containers by canaries as they are audited, and says
 * which were found. Each format gets its canaries once at each depth of containers. Nothing is written.
 * @throws AuditError `usage` for a path that does not exist
 */
export async function selfTest(
  paths: readonly string[],
  directory: string,
  { onProgress: _, ...settings }: AuditSettings = {},
  nextCanary = createCanaries(settings.prefix ?? defaultPrefix),
): Promise<SelfTest> {
  const planted: Planted[] = []
  const findings = new Map<string, Finding>()
  /** Canaries that no file of a format had room for so far. */
  const wanted = new Map<string, SelfTestCell[]>()
  const refused: SelfTestCell[] = []
  const locations: string[] = []
  const plant = (name: string, bytes: Buffer) => {
    const format = defaultFormats.formatOf(name, bytes)
    const location = printable(locations.at(-1) ?? name)
    if (bytes.length === windowHead || bytes.length === 0) return format
    const group = `${format.name} ${location.split('!').length}`
    const left =
      wanted.get(group) ??
      encodings.map(
        ({ name: encoding }): SelfTestCell => ({
          format: format.name,
          encoding,
          location,
          status: 'unplanted',
          reason: 'it contains no string that is long enough to be overwritten',
        }),
      )
    const rooms = left.length === 0 ? [] : listRooms(bytes, format.isText)
    const still = left.filter((cell) => {
      const canary = nextCanary()
      const encoding = encodings.find((one) => one.name === cell.encoding)
      const isPlanted = encoding && overwrite(bytes, rooms, encoding.encode(canary.key), format.isText)
      if (isPlanted) planted.push({ ...cell, location, canary })
      return !isPlanted
    })
    wanted.set(group, still)
    return defaultFormats.formatOf(name, bytes)
  }
  for (const { path, location, name } of await listFiles(paths, directory)) {
    const { size } = await stat(path)
    const place = printable(String(location))
    if (size > largest) {
      const reason = `larger than ${largest} bytes`
      refused.push({ format: 'file', encoding: 'plain', location: place, status: 'unplanted', reason })
      continue
    }
    const followed = {
      begin() {},
      grow() {},
      enter: (one: string) => void locations.push(one),
      leave: () => void locations.pop(),
      progress() {},
    }
    const formats = {
      // Nothing is searched before it was overwritten.
      containers: { ...defaultContainers, mayBeOpened: () => true },
      formats: { formatOf: plant, isSpecial: () => true },
    }
    const audit = createAudit(settings, formats, () => followed)
    await auditContents(audit, { contents: await readFile(path), name, location: place })
    await audit.reader.close()
    for (const finding of audit.collector.findings())
      if (finding.kind === 'key' && finding.level === 'error') findings.set(finding.fingerprint, finding)
  }
  return {
    cells: [...planted.map((one) => cellOf(one, findings)), ...[...wanted.values()].flat(), ...refused],
  }
}

async function listFiles(paths: readonly string[], directory: string) {
  const ignored = { gap: () => undefined, name: () => undefined }
  return paths.flatMap((path) => {
    try {
      return [...walkFiles(resolve(directory, path), path, ignored)]
    } catch (error) {
      const what = `${printable(path)} cannot be tested: there is no such file or folder`
      throw new AuditError('usage', what, error)
    }
  })
}

function cellOf(
  { format, encoding, location, canary }: Planted,
  findings: ReadonlyMap<string, Finding>,
): SelfTestCell {
  const finding = findings.get(canary.fingerprint)
  if (finding === undefined) return { format, encoding, location, status: 'missed' }
  const { rule, decoder } = finding
  return { format, encoding, location, status: 'found', rule, decoder }
}
