import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { TwotokenError } from './errors.ts'

/**
 * Writes a file whole or not at all: into a file beside it, which then takes its name. Its folder is made.
 * @throws TwotokenError `unwritable`
 */
export async function writeFileWhole(file: string, text: string): Promise<void> {
  const folder = dirname(file)
  const unfinished = join(folder, `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(unfinished, text, { flag: 'wx' })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    const { code = '' } = error as NodeJS.ErrnoException
    throw new TwotokenError(
      'unwritable',
      `cannot write ${file}: ${reasons[code] ?? code}; choose a writable place with free space`,
      error,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  ENAMETOOLONG: 'the name is too long',
}
