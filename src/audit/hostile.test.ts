import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditPaths } from './audit.ts'
import { auditFiles, folderOf, key } from './testing/audit-files.ts'

test('neither hangs on links in a circle and pipes, nor follows a link out of the path', async () => {
  await using made = await folderOf({ 'dist/a.js': `k = "${key}"`, 'outside.js': `k = "${key}x"` })
  const dist = join(made.folder, 'dist')
  await symlink(dist, join(dist, 'loop'))
  await symlink(join(made.folder, 'outside.js'), join(dist, 'out.js'))
  execFileSync('mkfifo', [join(dist, 'pipe')])
  const { findings, gaps } = await auditPaths(['dist'], made.folder)
  expect(findings).toHaveLength(1)
  expect(gaps.map(({ location }) => location).sort()).toEqual(['dist/out.js', 'dist/pipe'])
})

test('reads a long line and deep nesting', async () => {
  const deep = `${'['.repeat(100_000)}"ac_" + "live_"`
  const { findings } = await auditFiles({ 'deep.js': deep, 'long.js': `${'x'.repeat(3_000_000)}"${key}"` })
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([
    { location: 'dist/long.js', length: key.length },
  ])
})

test('says that an empty folder was not audited', async () => {
  const { gaps } = await auditFiles({ 'empty.txt': '' })
  expect(gaps).toMatchObject([{ rule: 'AUD-095', location: 'dist' }])
})
