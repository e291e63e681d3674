import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { TwotokenError } from './errors.ts'
import { makeFolder } from './make-folder.ts'

/** Writes a file whole or not at all: beside it first, then renamed. Makes its folder. Throws TwotokenError `unwritable`. */
export async function writeFileWhole(file: string, text: string, mode = 0o666): Promise<void> {
  const folder = dirname(file)
  const unfinished = join(folder, `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    await makeFolder(folder)
    {
      await using written = await open(unfinished, 'wx', mode)
      await written.writeFile(text)
      await written.sync()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw unwritable(file, error)
  }
}

function unwritable(file: string, error: unknown): TwotokenError {
  const { code = '' } = error as NodeJS.ErrnoException
  return new TwotokenError(
    'unwritable',
    `cannot write ${file}: ${reasons[code] ?? code}; choose a writable place with free space`,
    error,
  )
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'its folder cannot be made',
  EEXIST: 'a part of its path is a file',
  ENAMETOOLONG: 'the name is too long',
}
