import { join } from 'node:path'
import { key } from '../../testing/audit-files.ts'

export const hostiles = ['loop', 'native', 'heap', 'buffers', 'flood', 'exit'] as const
export type Hostile = (typeof hostiles)[number]

/** The threads' program, with a defect for each of the hostile files. */
export const hostileProgram = join(import.meta.dirname, 'hostile.worker.ts')

export function markOf(hostile: Hostile): number {
  return 0xf1f2_0000 + hostiles.indexOf(hostile)
}

/** A file with a key, whose reader goes wrong after its bytes were searched. */
export function hostileFile(hostile: Hostile): Buffer {
  const mark = Buffer.alloc(4)
  mark.writeUInt32BE(markOf(hostile))
  return Buffer.concat([mark, Buffer.from(` "${key}" \0`)])
}
