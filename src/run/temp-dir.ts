import { tmpdir } from 'node:os'
import { TwotokenError } from '../base/errors.ts'
import { openTempFolder } from '../base/temp-folder.ts'

/** A temporary folder of its own for a process and all that it starts. */
export interface TempDir {
  /** The environment variables that make a process use it. */
  readonly variables: Readonly<Record<'TMPDIR' | 'TEMP' | 'TMP', string>>
  /** Resolves with the error, or null. */
  remove(): Promise<TwotokenError | null>
}

/** Browsers put sockets in it, whose paths must be short: that of macOS is too long. */
const usualFolder = process.platform === 'darwin' ? '/tmp' : tmpdir()

/** Creates one, and removes those that killed runs have left. */
export async function createTempDir(parent = usualFolder): Promise<TempDir> {
  const folder = await openTempFolder({ parent })
  const { path } = folder
  return {
    variables: { TMPDIR: path, TEMP: path, TMP: path },
    remove: () =>
      folder[Symbol.asyncDispose]().then(
        () => null,
        (error: unknown) =>
          new TwotokenError(
            'unwritable',
            `cannot remove the temporary folder ${path}: remove it by hand, it may contain browser data`,
            error,
          ),
      ),
  }
}
