import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorkplace, livingIn } from '../testing/workplace.ts'

// Mistakes in the words of a user: exit 2, one clear sentence, nothing judged.
const usable = { mint: { url: 'http://127.0.0.1:9', apiKey: 'ac_live_made_up_for_a_test' } }
const mintWithKey = (apiKey: unknown) => ({ mint: { ...usable.mint, apiKey } })

const cases: readonly [name: string, configuration: unknown, args: readonly string[], sentence: RegExp][] = [
  [
    'a configuration that is not there',
    usable,
    ['--config', 'nowhere.yaml'],
    /nowhere\.yaml cannot be read: the file does not exist/,
  ],
  ['an empty configuration', '', [], /twotoken\.yaml/],
  ['a configuration that is no YAML', 'mint: [', [], /twotoken\.yaml:\d+/],
  ['a value of a wrong type', { mint: { ...usable.mint, minTtlSeconds: 'soon' } }, [], /mint\.minTtlSeconds/],
  ['a misspelt key', { mnt: usable.mint }, [], /mnt.*did you mean mint|mnt.*\bmint\b/],
  ['a variable that is not set', mintWithKey(`\${NOBODY_HAS_SET_THIS}`), [], /NOBODY_HAS_SET_THIS/],
  [
    'a credential command that fails',
    mintWithKey({ command: 'exit 3' }),
    [],
    /mint\.apiKey has a command that exited with code 3/,
  ],
  ['a credential command that prints nothing', mintWithKey({ command: 'true' }), [], /printed nothing/],
  [
    'an unknown id',
    usable,
    ['--only', 'MINT-4'],
    /--only: unknown requirement "MINT-4".*did you mean MINT-\d+/,
  ],
  ['an unknown suite', usable, ['--suite', 'mnt'], /--suite: unknown suite "mnt"/],
  ['an unknown option', usable, ['--olny', 'MINT-01'], /unknown option '--olny'.*--only/s],
  [
    'a choice that leaves nothing',
    usable,
    ['--suite', 'signaling', '--only', 'MINT-01'],
    /no requirement matches/,
  ],
  ['an --out that is a file', usable, ['--out', 'twotoken.yaml'], /--out .*twotoken\.yaml cannot be written/],
]

test.concurrent('a credential command that hangs is given up after 10 s, and does not stay behind', async () => {
  await using place = await createWorkplace(mintWithKey({ command: 'echo $$ > pid; sleep 3600' }))
  const { code, stderr } = await place.start(['run']).ended
  expect(stderr).toMatch(/mint\.apiKey has a command that did not exit within 10 s/)
  expect(code).toBe(2)
  const pid = Number(await readFile(join(place.folder, 'pid'), 'utf8'))
  expect(await livingIn(pid)).toEqual([])
})

test.concurrent.each(cases)('%s is exit 2 and a sentence', async (_, configuration, args, sentence) => {
  await using place = await createWorkplace(configuration)
  const { code, stdout, stderr } = await place.start(['run', ...args]).ended
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  await expect(place.results()).rejects.toThrow('ENOENT')
})

test.concurrent("a mint double's address that is taken is exit 2", async () => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { apiKey } = usable.mint
  await using place = await createWorkplace({
    backend: {
      url: 'http://127.0.0.1:9/calling/token',
      sessions: { alice: { token: 'session-of-alice', userId: 'u-alice' } },
      fakeMint: { listen: `127.0.0.1:${port}`, apiKey },
    },
  })
  const { code, stderr } = await place.start(['run', '--suite', 'backend']).ended
  // The preflight says so; and where another process takes the address after it, so does the run.
  const later = await place.start(['run', '--suite', 'backend', '--keep-going']).ended
  server.close()
  expect(stderr).toContain(`backend: 127.0.0.1:${port} is already in use`)
  expect(later.stderr).toContain(`cannot listen on 127.0.0.1:${port}: the port is already in use`)
  expect([code, later.code]).toEqual([2, 2])
})
