import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'

/** A log of some part, whole and with secrets. */
export interface Log {
  /** The part, or the name of the file. */
  readonly name: string
  readonly text: string
}

export type Logs = NonNullable<ReturnType<typeof createLogs>>

/** Length of the end that is read of a longer log. */
const readCharacters = 8 * 1024 * 1024

const answered = z.array(z.object({ name: z.string(), text: z.string() }))

/**
 * Undefined where there is no log to read.
 * @param files absolute paths
 * @param partLogs an address that answers with the logs of parts that the suite has started, as JSON
 */
export function createLogs(files: readonly string[], partLogs: string | undefined) {
  if (files.length === 0 && partLogs === undefined) return undefined
  return {
    /** Every log as it is now; one that cannot be read has no text. */
    async read(): Promise<readonly Log[]> {
      const own = await Promise.all(files.map(readLog))
      if (partLogs === undefined) return own
      const response = await fetch(partLogs)
      return [...own, ...answered.parse(await response.json())]
    },
  }
}

async function readLog(file: string): Promise<Log> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return { name: basename(file), text: text.slice(-readCharacters) }
}
