import { totalmem } from 'node:os'
import { extname, join } from 'node:path'
import type { Limits } from '../model/settings.ts'

/** Threads of a kind can do each other's work. */
export interface Kind {
  readonly program: string
  readonly heapMegabytes: number
}

const usualProgram = join(import.meta.dirname, `reading.worker${extname(import.meta.filename)}`)
const megabyte = 1024 * 1024

/** @param program what the threads run */
export function kindOf({ fileMemory }: Pick<Limits, 'fileMemory'>, program: string = usualProgram): Kind {
  return { program, heapMegabytes: Math.ceil(fileMemory / megabyte) }
}

/** No file may take more than half of the memory that there is. */
export function boundedByMachine(limits: Limits): Limits {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { ...limits, fileMemory: Math.min(limits.fileMemory, memory / 2) }
}
