import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it where they are missing. Node's own recursion never ends below a folder that takes
 * none, such as `/proc`.
 * @throws the error of the file system
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const error = await mkdir(folder, { mode }).then(
    () => null,
    (failed: NodeJS.ErrnoException) => failed,
  )
  if (error === null || (await isFolder(folder))) return
  const above = dirname(folder)
  if (error.code !== 'ENOENT' || (await isFolder(above))) throw error
  await makeFolder(above, mode)
  await makeFolder(folder, mode)
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
