import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { allow, spend } from '../containers/budget.ts'
import { inFile, inMemory, readInto } from '../containers/source.ts'
import { printable } from '../model/location.ts'
import type { Audit } from './context.ts'
import { auditSource } from './open.ts'
import { type FileOnDisk, unreadable } from './walk-files.ts'
import { isProgram } from './windows.ts'

export interface Reader {
  /** The bytes of an open file, until the next one is read. */
  read(file: number, size: number): Buffer
}

/** Reads one file after the other into the same memory, which costs less than new memory for each. */
export function createReader(): Reader {
  let memory = Buffer.allocUnsafeSlow(0)
  return {
    read(file, size) {
      if (memory.length < size || (memory.length > mostKept && size <= mostKept))
        memory = Buffer.allocUnsafeSlow(Math.max(size, Math.min(memory.length * 2, mostKept), 65_536))
      return readInto(file, memory.subarray(0, size), 0)
    },
  }
}

/** The memory of a larger file is let go with the next smaller one. */
const mostKept = 4 * 1024 * 1024

/** A larger file is opened where it is: of an archive only the entries are read, a clean program is never held whole. */
const [largestAtOnce, largestProgram] = [64 * 1024 * 1024, 16 * 1024 * 1024]

/** Nothing is waited for: what was a file a moment ago may be a pipe now. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export interface OnDisk {
  readonly reader: Reader
  /** True where the user named this very file. */
  readonly isGiven?: boolean
}

export async function auditOnDisk(
  audit: Audit,
  { path, location, name }: FileOnDisk,
  { reader, isGiven = false }: OnDisk,
): Promise<void> {
  const shown = printable(location)
  const gap = (reason: string) => audit.collector.gap('opaque', shown, reason)
  let file: number | null = null
  try {
    file = openSync(path, flags)
    const found = fstatSync(file)
    if (!found.isFile()) return gap('not a regular file')
    const { size } = found
    if (size === 0) {
      if (isGiven) gap('an empty file')
      return
    }
    const onDisk = inFile(file, 0, size)
    const isLargeProgram = size > largestProgram && isProgram(audit, name, onDisk)
    const isSmall = size <= Math.min(largestAtOnce, audit.limits.wholeBytes) && !isLargeProgram
    const source = isSmall ? inMemory(reader.read(file, size)) : onDisk
    audit.spent.opened += 1
    allow(audit, size)
    if (spend(audit, size))
      await auditSource(audit, { location: shown, name, source, depth: 0, held: isSmall ? size : 0 })
    else audit.collector.gap('limit', shown, 'more files or bytes than the limits allow')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    gap(unreadable(error))
  } finally {
    if (file !== null) closeSync(file)
  }
}
