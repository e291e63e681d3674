import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, key } from '../../../audit/src/testing/audit-files.ts'
import { audit } from './audit.ts'

const identity = ['-c', 'user.name=A', '-c', 'user.email=a@shop.example', '-c', 'commit.gpgSign=false']

/** A repository whose second commit brings a key in, whose third takes it out, and whose fourth merges a branch with one. */
async function openRepository() {
  const made = await folderOf({ 'src/a.ts': 'let a = 1' })
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: made.folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  const commit = async (files: Readonly<Record<string, string | null>>, message: string) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(made.folder, path, '..'), { recursive: true })
      if (text === null) await rm(join(made.folder, path))
      else await writeFile(join(made.folder, path), text)
    }
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
    return git('rev-parse', 'HEAD')
  }
  git('init', '--quiet', '--initial-branch', 'main')
  await commit({}, 'begins')
  const leaking = await commit({ 'src/ä b.ts': `const k = "${key}"` }, 'leaks')
  const mended = await commit({ 'src/ä b.ts': null }, 'mends')
  git('checkout', '--quiet', '-b', 'side', 'HEAD~2')
  const ofSide = await commit(
    { 'side.js': `x("${key.slice(0, -3)}8Zq")`, big: 'x\n'.repeat(200_000) },
    'side',
  )
  git('checkout', '--quiet', 'main')
  git('merge', '--quiet', '--no-ff', '--no-edit', 'side')
  return {
    leaking,
    mended,
    ofSide,
    async read(range: string) {
      let stdout = ''
      const stderr: string[] = []
      const code = await audit(
        { paths: [], git: range, format: 'json' },
        {
          directory: join(made.folder, 'src'),
          stdout: { write: (text) => (stdout += text) },
          stderr: { write: (text) => stderr.push(text) },
        },
      )
      const { findings, audited } = JSON.parse(stdout)
      return { code, stderr, audited, locations: findings.map((one: { location: string }) => one.location) }
    },
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  }
}

test('finds a key that a later commit has taken out, at the commit that brought it in', async () => {
  await using repository = await openRepository()
  const { leaking, mended, ofSide } = repository
  const inMain = `git/${leaking.slice(0, 12)}/src/ä b.ts`
  const inSide = `git/${ofSide.slice(0, 12)}/side.js`
  const whole = await repository.read('HEAD')
  expect(whole).toMatchObject({ code: 1, stderr: [], audited: [{ path: 'git', entries: 4 }] })
  expect(whole.locations.toSorted()).toEqual([inMain, inSide].toSorted())
  expect((await repository.read(`${leaking}..${mended} side ^${leaking}`)).locations).toEqual([inSide])
  expect(await repository.read(`${mended}~2..${mended}`)).toMatchObject({ code: 1, locations: [inMain] })
})

test('commits that bring nothing in are not clean; a range that git does not know is wrong usage', async () => {
  await using repository = await openRepository()
  const { leaking, mended } = repository
  expect(await repository.read(`${leaking}..${mended}`)).toMatchObject({ code: 3, locations: [] })
  await expect(repository.read('nowhere..HEAD')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('main..HEAD'),
  })
  await expect(repository.read('--output=stolen')).rejects.toMatchObject({ code: 'usage' })
})
