import { closeSync, constants, fstatSync, openSync, read } from 'node:fs'
import type { ReadAhead } from '../../audit/src/api.ts'

/** Reading a smaller file takes no time, and a larger one is opened where it is. */
const least = 1024 * 1024
const most = 64 * 1024 * 1024

/** Reads a file on another thread while the program loads what will audit it. `null` for what is no file, or no such file. */
export function readAhead(path: string): ReadAhead | null {
  let file: number | null = null
  try {
    // Without waiting: it may be a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(file, { bigint: true })
    if (found.isFile() && found.size >= least && found.size <= most) {
      const bytes = readWhole(file, Number(found.size))
      file = null
      return { file: found, bytes }
    }
  } catch {
    // The audit reports what is wrong with the file.
  } finally {
    if (file !== null) closeSync(file)
  }
  return null
}

function readWhole(file: number, size: number): Promise<Buffer | null> {
  const memory = Buffer.allocUnsafeSlow(size)
  return new Promise((resolve) => {
    read(file, memory, 0, size, 0, (error, count) => {
      closeSync(file)
      resolve(error === null && count === size ? memory : null)
    })
  })
}
