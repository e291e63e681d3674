import { stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'
import { openTempFolder } from './temp-folder.ts'

test('folders above are made, and one that exists is left', async () => {
  await using temp = await openTempFolder()
  const folder = join(temp.path, 'a/b/c')
  await makeFolder(folder)
  await makeFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
})

test('a folder that cannot be made is an error at once', async () => {
  await using temp = await openTempFolder()
  const [file, dangling] = [join(temp.path, 'file'), join(temp.path, 'dangling')]
  await writeFile(file, '')
  await symlink(join(temp.path, 'missing'), dangling)
  for (const folder of [file, join(file, 'x'), dangling, join(dangling, 'x/y'), '/proc/x', '/proc/x/y'])
    await expect(makeFolder(folder), folder).rejects.toMatchObject({ syscall: 'mkdir' })
})
