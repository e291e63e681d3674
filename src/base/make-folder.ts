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
  if (error.code !== 'ENOENT' || above === folder) throw error
  if (!(await isFolder(above))) await makeFolder(above, mode)
  // Others may make the same folders at the same time.
  await mkdir(folder, { mode }).catch(async (failed) => {
    if (!(await isFolder(folder))) throw failed
  })
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
