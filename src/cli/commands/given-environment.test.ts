import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

const prelude = 'export E2E_USER=named PLAIN=withheld CALLING_API_KEY=withheld'

const tells = (file: string) => `import { writeFileSync } from 'node:fs'
writeFileSync('${file}', JSON.stringify([process.env.E2E_USER, process.env.PLAIN, process.env.PATH?.length > 0]))
`

test('an adapter and a driver get what the file names, and a note says what they lack', async () => {
  await using reference = await startReference({ withClient: true })
  const { written } = reference
  const client = written['client'] as { readonly driver: string }
  await using place = await createWorkplace({
    ...written,
    client: { ...client, driver: './driver.mjs' },
    environment: ['E2E_*'],
  })
  const told = join(place.folder, 'told.json')
  await place.write('driver.mjs', `${tells(told)}export * from '${client.driver}'\n`)
  const { code, stderr } = await place.start(['run', '--only', 'CLI-03'], { prelude }).ended
  expect(stderr).toContain('client.driver reads PLAIN, which it does not receive: list it in environment')
  expect(code).toBe(0)
  expect(JSON.parse(await readFile(told, 'utf8'))).toEqual(['named', null, true])
})

test('a command that starts a service gets the variables that the file refers to', async () => {
  const reference = ['$', '{MINT_KEY}'].join('')
  await using place = await createWorkplace({
    mint: { url: 'http://127.0.0.1:9', apiKey: reference },
    start: { command: 'env > told; exit 3' },
  })
  const key = `ac_live_${'Zq81'.repeat(10)}`
  const { code, stderr } = await place.start(['run'], { prelude: `${prelude} MINT_KEY=${key}` }).ended
  expect(stderr).toContain('it receives only PATH, HOME, LANG and the like')
  expect(code).toBe(2)
  const told = await readFile(join(place.folder, 'told'), 'utf8')
  expect(told).toContain('MINT_KEY=')
  expect(told).not.toContain('withheld')
})

// The temporary files of a browser and its traces contain every secret: none of them may stay.

/** A run of the client's requirements; `aside` is its folder for temporary files. */
async function clientRun(ids: string) {
  await using stack = new AsyncDisposableStack()
  const reference = stack.use(await startReference({ withClient: true }))
  const place = stack.use(await createWorkplace(reference.written))
  const aside = join(place.folder, 'aside')
  await mkdir(aside)
  const running = place.start(['run', '--only', ids], { prelude: `export TMPDIR=${aside}` })
  const owned = stack.move()
  return { running, aside, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test.concurrent('a run leaves no profile and no trace behind', async () => {
  await using run = await clientRun('CLI-03')
  expect((await run.running.ended).code).toBe(0)
  expect(await readdir(run.aside)).toEqual([])
})

test.concurrent('nor does one that is interrupted while pages are open', async () => {
  await using run = await clientRun('CLI-01,CLI-12')
  await run.running.says('CLI-01')
  expect(await readdir(run.aside)).not.toEqual([])
  run.running.process.kill('SIGINT')
  expect((await run.running.ended).code).toBe(130)
  expect(await readdir(run.aside)).toEqual([])
})

test.concurrent('nothing is read from or written to a folder that another user could have made', async () => {
  await using reference = await startReference({ withClient: true })
  await using place = await createWorkplace(reference.written)
  // Where Playwright looks by itself, and a cache that all may write to.
  const planted = join(place.folder, `aside/playwright-transform-cache-${process.geteuid?.()}`)
  const [shared, cache] = [join(place.folder, 'shared'), join(place.folder, 'cache')]
  for (const path of [shared, cache, planted]) await mkdir(path, { recursive: true })
  await chmod(planted, 0o777)
  await symlink(shared, join(cache, 'twotoken'))
  const prelude = `export TMPDIR=${place.folder}/aside XDG_CACHE_HOME=${cache}`
  const { code, stdout } = await place.start(['run', '--only', 'CLI-01,MINT-04'], { prelude }).ended
  expect(code, stdout).toBe(0)
  expect([...(await readdir(planted)), ...(await readdir(shared))]).toEqual([])
})

test.concurrent('a client that is a program is not told what the suite knows', async () => {
  await using reference = await startReference()
  const users = { alice: { userId: 'u-1', sessionToken: 'session-of-alice' } }
  const client = { command: `${process.execPath} told.mjs`, users }
  await using place = await createWorkplace({ ...reference.written, client })
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

const failing = { client: { variant: 'session in two headers' } } as const

test('with --screenshots a client that fails leaves a trace and a screenshot, and no secret in them', async () => {
  await using reference = await startReference({ variant: failing, withClient: true })
  await using place = await createWorkplace(reference.written)
  const { code } = await place.start(['run', '--only', 'CLI-01', '--screenshots']).ended
  expect(code).toBe(1)
  const results = await place.results()
  // On a busy machine a second try keeps its own.
  const kept = results.checks[0]?.observations['keptInFolderClient'] as readonly string[]
  expect(kept.slice(0, 2)).toEqual(['CLI-01-1.zip', 'CLI-01-1.png'])
  const folder = join(place.out, 'client')
  expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted())
  const trace = await readFile(join(folder, 'CLI-01-1.zip'))
  expect(Object.keys(unzipSync(trace))).toContain('trace.trace')
  // Entries are stored as they are, so that the bytes can be searched.
  const text = trace.toString('latin1')
  const { sessions, users } = reference.backend
  for (const secret of [sessions.alice.token, ...users.map(({ password }) => password)])
    expect(text).not.toContain(secret)
  expect(text).toContain('getByRole')
})

test('without it none is kept; --evidence full writes what reports mask for the user alone', async () => {
  await using reference = await startReference({ variant: failing, withClient: true })
  await using place = await createWorkplace(reference.written)
  await place.start(['run', '--only', 'CLI-01', '--evidence', 'full']).ended
  const written = (await readdir(place.out)).toSorted()
  expect(written).toEqual(['evidence.json', 'report.html', 'results.json'])
  const { mode } = await stat(join(place.out, 'evidence.json'))
  expect(mode & 0o777).toBe(0o600)
  const full = await place.read('evidence.json')
  const masked = await place.read('results.json')
  // The name of a browser with its numbers is none of the words.
  expect(full).toMatch(/Chrome\/\d+\.\d+\.\d+\.\d+ /)
  expect(masked).toMatch(/‹\d+ characters/)
  expect(full).not.toMatch(/‹\d+ characters #/)
  expect(full).not.toContain(reference.backend.sessions.alice.token)
  const report = ['report', join(place.out, 'evidence.json'), '--format', 'html']
  expect(await place.start(report).ended).toMatchObject({ code: 2 })
  await place.start(['run', '--only', 'CLI-01']).ended
  expect(await readdir(place.out)).not.toContain('evidence.json')
})
