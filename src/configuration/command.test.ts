import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resolveConfiguration } from './load.ts'

const directory = await mkdtemp(join(tmpdir(), 'twotoken-command-'))
afterAll(() => rm(directory, { recursive: true }))

const path = '/usr/bin:/bin'
const surroundings = { directory, environment: { PATH: path } }

function resolve(command: string, options: { commandSeconds?: number; signal?: AbortSignal } = {}) {
  const written = { mint: { url: 'https://a.b', apiKey: { command } } }
  return resolveConfiguration(written, {
    directory,
    environment: { PATH: path, NAME: 'inherited' },
    ...options,
  })
}

/** Says whether a process is gone; one that has ended but is not yet collected counts as gone. */
async function isGone(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone) Z')
  return / Z/.test(status.slice(status.lastIndexOf(')')))
}

async function sessionsOf(alice: string, aliceSecondDevice: string) {
  const session = (command: string) => ({ token: { command }, userId: 'u' })
  const sessions = { alice: session(alice), aliceSecondDevice: session(aliceSecondDevice) }
  const { backend } = await resolveConfiguration({ backend: { url: 'https://a.b', sessions } }, surroundings)
  return backend?.sessions ?? {}
}

test('a credential command gives what it prints, trimmed, from the folder of the configuration and with its environment', async () => {
  const configuration = await resolve('printf "  %s:%s\\n\\n" "$NAME" "$PWD"')
  expect(configuration.mint?.apiKey).toBe(`inherited:${directory}`)
})

test("a credential command is run again for alice's second device where a login signs no two sessions within a second", async () => {
  const { alice, aliceSecondDevice } = await sessionsOf('date +%s', 'date +%s')
  // Both run side by side: either may be the first, and in another second.
  expect(aliceSecondDevice?.token).toMatch(/^\d+$/)
  expect(aliceSecondDevice?.token).not.toBe(alice?.token)
})

test("a credential command leaves alice's second device out where the login has one session for each user", async () => {
  const { alice, aliceSecondDevice } = await sessionsOf('echo one-session', 'echo one-session')
  expect([alice?.token, aliceSecondDevice]).toEqual(['one-session', undefined])
})

test.each([
  ['echo hush-hush; exit 3', 'has a command that exited with code 3, expected 0'],
  ['no-such-program-here', 'has a command that exited with code 127 and said "'],
  ['echo hush-hush; kill -9 $$', 'has a command that was terminated by SIGKILL, expected exit code 0'],
  ['echo hush-hush >&2', 'has a command that printed nothing and said "'],
  ['echo; echo " "', 'has a command that printed nothing, expected the credential on stdout'],
  ['yes hush-hush', 'has a command that printed more than 64 KiB, expected less'],
  ['echo hush-hush; echo second', 'is text of 16 characters, expected a credential in one line'],
  [
    'echo "first line" >&2; echo "invalid password Zq81hunter2 for alice" >&2; exit 1',
    'has a command that exited with code 1 and said "invalid password ',
  ],
])(
  'a credential command fails with one sentence, without its output and what it says in secret: %s',
  async (command, expected) => {
    await expect(resolve(command)).rejects.toMatchObject({
      code: 'credential',
      message: expect.stringContaining(`mint.apiKey ${expected}`),
    })
    await expect(resolve(command)).rejects.toMatchObject({
      message: expect.not.stringMatching(/hush-hush|hunter2|first|\n/),
    })
  },
)

test('a credential command says once what several commands failed by', async () => {
  const session = { token: { command: 'echo "no database" >&2; exit 1' }, userId: 'u' }
  const written = { backend: { url: 'https://a.b', sessions: { alice: session, bob: session } } }
  await expect(resolveConfiguration(written, surroundings)).rejects.toThrow(
    /^backend\.sessions\.alice\.token has a command that exited with code 1 and said "no database", expected 0: .*; likewise backend\.sessions\.bob\.token$/,
  )
})

test('a credential command ends at its deadline with all its children when it hangs', async () => {
  await expect(
    resolve('sleep 3600 & echo $! > child; sleep 3600', { commandSeconds: 0.5 }),
  ).rejects.toMatchObject({
    code: 'credential',
    message: expect.stringContaining('did not exit within 0.5 s'),
  })
  const child = Number(await readFile(join(directory, 'child'), 'utf8'))
  await expect.poll(() => isGone(child)).toBe(true)
})

test('a credential command is not waited for when it leaves a child behind, and the child is gone', async () => {
  const configuration = await resolve('sleep 79 & echo $! > left; echo done')
  expect(configuration.mint?.apiKey).toBe('done')
  const child = Number(await readFile(join(directory, 'left'), 'utf8'))
  await expect.poll(() => isGone(child)).toBe(true)
})

test('a credential command is run once more after the start, but not where it was refused', async () => {
  const refused = 'echo >>refused; exit 77'
  const unset = 'echo >>unset; exit 78'
  const late = 'echo >>late; test $(wc -l <late) = 2 && echo key'
  const tries = async (file: string) => (await readFile(join(directory, file), 'utf8')).length
  const started = (command: string) =>
    resolveConfiguration(
      {
        mint: { url: 'https://a.b', apiKey: { command } },
        start: { command: 'npm run dev', readyTimeoutSeconds: 1 },
      },
      { ...surroundings, bringUp: async () => undefined },
    )
  expect((await started(late)).mint?.apiKey).toBe('key')
  expect(await tries('late')).toBe(2)
  await expect(started(refused)).rejects.toThrow('mint.apiKey has a command that was refused (exit code 77)')
  expect(await tries('refused')).toBe(1)
  await expect(started(unset)).rejects.toThrow('mint.apiKey has a command that lacks a value (exit code 78)')
  expect(await tries('unset')).toBe(1)
})

test('a credential command is not run while anything else is wrong', async () => {
  const written = { name: 1, mint: { url: 'https://a.b', apiKey: { command: 'touch ran; echo x' } } }
  await expect(resolveConfiguration(written, surroundings)).rejects.toThrow('name is')
  await expect(readFile(join(directory, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' })
})
