import { type BigIntStats, closeSync, constants, fstatSync, openSync } from 'node:fs'
import { allow, spend } from '../containers/budget.ts'
import { inFile, inMemory, readInto } from '../containers/source.ts'
import { printable } from '../model/location.ts'
import { auditSource } from './audit-bytes.ts'
import type { Audit } from './context.ts'
import { type FileOnDisk, unreadable } from './walk-files.ts'

export interface Reader {
  /** The bytes of an open file, until the next one is read. */
  read(file: number, size: number): Promise<Buffer> | Buffer
}

/** A file whose reading began before the audit was loaded. */
export interface ReadAhead {
  readonly file: BigIntStats
  /** `null` where it could not be read, or not to its end. */
  readonly bytes: Promise<Buffer | null>
}

/** Reads one file after the other into the same memory, which costs less than new memory for each. */
export function createReader(ahead: ReadAhead | null = null): Reader {
  let memory = Buffer.allocUnsafeSlow(0)
  let waiting = ahead
  const readNow = (file: number, size: number) => {
    if (memory.length < size)
      memory = Buffer.allocUnsafeSlow(Math.min(largestAtOnce, Math.max(size, memory.length * 2, 65_536)))
    return readInto(file, memory.subarray(0, size), 0)
  }
  return {
    read(file, size) {
      if (waiting === null || !isSame(waiting.file, fstatSync(file, { bigint: true })))
        return readNow(file, size)
      const { bytes } = waiting
      waiting = null
      return bytes.then((read) => read ?? readNow(file, size))
    },
  }
}

/** Whether it was neither changed nor replaced. */
function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((field) => one[field] === other[field])
}

/** A larger file is opened where it is: if it is an archive, only its entries are read. */
const largestAtOnce = 64 * 1024 * 1024

/** Nothing is waited for: what was a file a moment ago may be a pipe now. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export interface OnDisk {
  readonly reader: Reader
  /** Whether the user named this very file. */
  readonly isGiven?: boolean
  /** Files that another thread reads, by their size, and then by their bytes. */
  readonly leaves?: (name: string, size: number, bytes: Buffer | null) => boolean
}

/** @returns `false` where the file was left as it is */
export async function auditOnDisk(
  audit: Audit,
  { path, location, name }: FileOnDisk,
  { reader, isGiven = false, leaves = () => false }: OnDisk,
): Promise<boolean> {
  const shown = printable(location)
  const gap = (reason: string) => {
    audit.collector.gap('opaque', shown, reason)
    return true
  }
  let file: number | null = null
  try {
    file = openSync(path, flags)
    const found = fstatSync(file)
    if (!found.isFile()) return gap('not a regular file')
    const { size } = found
    if (size === 0) return isGiven ? gap('an empty file') : true
    if (leaves(name, size, null)) return false
    const isSmall = size <= Math.min(largestAtOnce, audit.limits.wholeBytes)
    const source = isSmall ? inMemory(await reader.read(file, size)) : inFile(file, 0, size)
    if (source.whole !== undefined && leaves(name, size, source.whole)) return false
    audit.spent.opened += 1
    allow(audit, size)
    if (spend(audit, size))
      await auditSource(audit, { location: shown, name, source, depth: 0, held: isSmall ? size : 0 })
    else audit.collector.gap('limit', shown, 'more files or bytes than the limits allow')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return gap(unreadable(error))
  } finally {
    if (file !== null) closeSync(file)
  }
}
