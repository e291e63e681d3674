import type { MessagePort } from 'node:worker_threads'
import { auditContents } from '../engine/audit-contents.ts'
import { auditNames } from '../engine/audit-names.ts'
import { auditOnDisk, createReader, readAgain } from '../engine/audit-on-disk.ts'
import { auditTogether, type FileAgain } from '../engine/audit-together.ts'
import { type Audit, createAudit } from '../engine/context.ts'
import { type FileToRead, sizeOf } from '../engine/walk-files.ts'
import { printable } from '../model/location.ts'
import { nothingSpent } from '../model/settings.ts'
import { shareTurns } from '../model/turns.ts'
import { claim } from './claims.ts'
import type { Answer, Order, Task, ThreadMemory, Walked } from './orders.ts'
import { noFile, type OwnPulse, writePulse } from './pulse-memory.ts'

/** Larger files, and texts that take several times their size, are left to the thread that takes the first ones. */
const largestOfLast = 16 * 1024 * 1024
const largestTextOfLast = 1024 * 1024

interface Reading {
  readonly audit: Audit
  readonly pulse: OwnPulse
  readonly reader: ReturnType<typeof createReader>
  walked: Walked | null
}

/**
 * Does what a thread is ordered to, one order after the other. What it finds is told at once: it may be ended at any time.
 * @param kinds what files are read as
 */
export function readFiles(
  port: MessagePort,
  { pulse: memory, turns }: ThreadMemory,
  kinds?: Parameters<typeof createAudit>[1],
): void {
  shareTurns(turns)
  const tell = (answer: Answer) => port.postMessage(answer)
  let reading: Reading | null = null
  const obey = async (order: Order) => {
    if (order.kind === 'begin') reading = begin(order)
    else if (order.kind === 'rest') reading = null
    else if (reading !== null && order.kind !== 'plant') {
      if (order.kind === 'read') await readTask(reading, order.task)
      else await readTogether(reading, order)
      const { entries, bytes } = reading.audit.spent
      tell({ kind: 'done', entries, bytes, parts: [...reading.audit.archive.parts] })
    }
  }
  const begin = ({ settings, isFollowed }: Extract<Order, { kind: 'begin' }>): Reading => {
    let pulse: OwnPulse | null = null
    const audit = createAudit(settings, kinds, {
      pulse: (spent) => {
        pulse = writePulse(memory, spent)
        return pulse
      },
      tell,
      follow: isFollowed ? (location, read) => tell({ kind: 'progress', location, read }) : null,
    })
    return { audit, pulse: pulse ?? writePulse(memory, audit.spent), reader: createReader(), walked: null }
  }
  let before = Promise.resolve()
  port.on('message', (order: Order) => {
    before = before.then(() => obey(order))
  })
}

async function readTask(reading: Reading, { walked, claims, takes, again }: Task): Promise<void> {
  const { audit, pulse, reader } = reading
  reading.walked = walked
  pulse.begin(noFile)
  Object.assign(audit.spent, nothingSpent)
  audit.archive.parts.clear()
  audit.followed?.reset()
  const read = async (index: number, file: FileToRead) => {
    pulse.begin(index)
    audit.followed?.begin(sizeOf(file))
    if ('contents' in file) await auditContents(audit, file)
    else await auditOnDisk(audit, file, { reader, isGiven: file.path === walked.root })
  }
  const { files } = walked
  const place = again === null ? undefined : files[again.index]
  if (again !== null && place !== undefined) {
    audit.collector.know(again.known)
    for (const [location, spared] of again.spared) audit.spared.set(location, spared)
    await read(again.index, ofThread(place))
    audit.spared.clear()
  }
  for (let at = 0; at < files.length; at++) {
    const index = takes === 'first' ? at : files.length - 1 - at
    const file = files[index]
    if (file === undefined || claims[index] !== 0) continue
    const own = ofThread(file)
    if (takes === 'last' && isLeft(audit, own)) continue
    if (claim(claims, index)) await read(index, own)
  }
}

/** Reads what only all files of the path tell: their names, and scripts that put a key together. */
async function readTogether(
  { audit, walked }: Reading,
  { known, parts }: Extract<Order, { kind: 'names' }>,
): Promise<void> {
  if (walked === null) return
  audit.collector.know(known)
  for (const part of parts) audit.archive.parts.add(part)
  const files = walked.files.map((file) => fileAgain(ofThread(file)))
  if (parts.length > 0) await auditTogether(audit, walked.given, files)
  const ofFiles = walked.files.flatMap((file) => ('contents' in file ? [] : [file.location]))
  const names = [...ofFiles, ...walked.otherNames]
  auditNames(audit, walked.given, names.map(bytesOrText))
}

function fileAgain(file: FileToRead): FileAgain {
  return {
    location: printable(file.location),
    read(room) {
      if (sizeOf(file) > room) return null
      return 'contents' in file ? Buffer.from(file.contents) : readAgain(file.path)
    },
  }
}

function isLeft(audit: Audit, file: FileToRead): boolean {
  const size = sizeOf(file)
  if (size <= largestTextOfLast) return false
  return size > largestOfLast || audit.formats.formatOf(file.name, Buffer.alloc(0)).isReadWhole === true
}

/** Between threads, a Buffer becomes an array of bytes. */
function bytesOrText(name: string | Uint8Array): string | Buffer {
  return typeof name === 'string' ? name : Buffer.from(name)
}

function ofThread(file: FileToRead): FileToRead {
  if ('contents' in file) return file
  const { path, location, name } = file
  return { path: bytesOrText(path), location: bytesOrText(location), name }
}
