import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { folderOf, key } from '../../audit/src/testing/audit-files.ts'
import { hostileFile } from '../../audit/src/threads/testing/hostile-files.ts'

const program = join(import.meta.dirname, 'testing/audit-hostile.ts')
const files = { 'a.txt': key, 'b.bin': hostileFile('native'), 'c.txt': key }
const start = (...args: readonly string[]) => spawn(process.execPath, [program, ...args])

test.each(['0', '3'])('a native call that never returns is a gap, and the exit code is %s', async (code) => {
  await using made = await folderOf(files)
  const child = start(made.folder, '1', code)
  const [output, [exitCode, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const [found, gaps] = JSON.parse(output)
  expect(found).toEqual(['a.txt', 'b.bin', 'c.txt'].map((name) => join(made.folder, name)))
  expect(gaps).toEqual(['reading it takes longer than 1 s: read as raw bytes'])
  expect([exitCode, signal]).toEqual([Number(code), null])
})

test('Ctrl-C ends the process while a native call never returns', async () => {
  await using made = await folderOf({ 'b.bin': files['b.bin'] })
  const child = start(made.folder, '1000')
  await once(child.stderr, 'data')
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([null, 'SIGINT'])
})
