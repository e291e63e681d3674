import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

// The temporary files of a browser and its traces contain every secret: none of them may stay.

test.concurrent('a run leaves no profile and no trace behind', async () => {
  await using reference = await startReference({ withClient: true })
  await using place = await createWorkplace(reference.written)
  const aside = join(place.folder, 'aside')
  await mkdir(aside)
  const { code } = await place.start(['run', '--only', 'CLI-03'], { prelude: `export TMPDIR=${aside}` }).ended
  expect(code).toBe(0)
  expect(await readdir(aside)).toEqual([])
})

test.concurrent('nor does one that is interrupted while pages are open', async () => {
  await using reference = await startReference({ withClient: true })
  await using place = await createWorkplace(reference.written)
  const aside = join(place.folder, 'aside')
  await mkdir(aside)
  const running = place.start(['run', '--only', 'CLI-01,CLI-12'], { prelude: `export TMPDIR=${aside}` })
  await running.says('CLI-01')
  expect(await readdir(aside)).not.toEqual([])
  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(130)
  expect(await readdir(aside)).toEqual([])
})

/** Folders that another user could have made before: where Playwright looks by itself, and a cache that all may write to. */
async function plantedFolders(folder: string) {
  const [temporary, shared, cache] = [join(folder, 'aside'), join(folder, 'shared'), join(folder, 'cache')]
  const planted = join(temporary, `playwright-transform-cache-${process.geteuid?.()}`)
  for (const path of [temporary, shared, cache, planted]) await mkdir(path)
  await chmod(planted, 0o777)
  await symlink(shared, join(cache, 'twotoken'))
  return { prelude: `export TMPDIR=${temporary} XDG_CACHE_HOME=${cache}`, planted, shared }
}

test.concurrent('nothing is read from or written to a folder that another user could have made', async () => {
  await using reference = await startReference({ withClient: true })
  await using place = await createWorkplace(reference.written)
  const { prelude, planted, shared } = await plantedFolders(place.folder)
  const { code, stdout } = await place.start(['run', '--only', 'CLI-01,MINT-04'], { prelude }).ended
  expect(code, stdout).toBe(0)
  expect([...(await readdir(planted)), ...(await readdir(shared))]).toEqual([])
})

test.concurrent('a client that is a program is not told what the suite knows', async () => {
  await using reference = await startReference({ withClient: true })
  await using place = await createWorkplace({
    ...reference.written,
    client: {
      command: `${process.execPath} told.mjs`,
      users: { alice: { userId: 'u-1', sessionToken: 'session-of-alice' } },
    },
  })
  await writeFile(
    join(place.folder, 'told.mjs'),
    `import { readFileSync, writeFileSync } from 'node:fs'
const environments = []
for (let pid = process.pid; pid > 1; ) {
  environments.push(readFileSync(\`/proc/\${pid}/environ\`, 'utf8'))
  pid = Number(/^PPid:\\s*(\\d+)/m.exec(readFileSync(\`/proc/\${pid}/status\`, 'utf8'))?.[1] ?? 0)
}
writeFileSync('told.json', JSON.stringify({ own: process.env, environments }))
`,
  )
  await place.start(['run', '--only', 'CLI-01']).ended
  const told = await readFile(join(place.folder, 'told.json'), 'utf8')
  expect(told).toContain('TWOTOKEN_')
  expect(told).not.toContain(reference.configuration.mint?.apiKey ?? 'no key')
})

test.concurrent('nor which variable holds the key of the mint', async () => {
  await using reference = await startReference({ withClient: true })
  const key = reference.configuration.mint?.apiKey ?? ''
  await using place = await createWorkplace({
    ...reference.written,
    mint: { url: reference.configuration.mint?.url, apiKey: `\${SERVER_KEY}` },
    client: {
      command: `${process.execPath} told.mjs`,
      users: { alice: { userId: 'u-1', sessionToken: 'session-of-alice' } },
    },
  })
  await writeFile(
    join(place.folder, 'told.mjs'),
    `import { writeFileSync } from 'node:fs'\nwriteFileSync('told.json', JSON.stringify(process.env))\n`,
  )
  await place.start(['run', '--only', 'CLI-01'], { prelude: `export SERVER_KEY=${key}` }).ended
  const told = JSON.parse(await readFile(join(place.folder, 'told.json'), 'utf8'))
  expect(told).not.toHaveProperty('SERVER_KEY')
  expect(JSON.stringify(told)).not.toContain(key)
})
