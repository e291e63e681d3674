import { readFile } from 'node:fs/promises'
import { TwotokenError } from '../errors.ts'

/** The certificates that `tls.ca` adds to the system's. */
export async function readTrustedAuthorities(file: string | undefined): Promise<string[] | undefined> {
  if (file === undefined) return undefined
  try {
    return [await readFile(file, 'utf8')]
  } catch (error) {
    throw new TwotokenError('configuration', `tls.ca cannot be read: ${file}`, error)
  }
}
