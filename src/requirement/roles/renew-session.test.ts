import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { jumpingClock } from '../../base/testing/stepping-clock.ts'
import { renewSession } from './renew-session.ts'

/** A session of ten seconds at most, whose command notes that it ran; its clock only moves when told to. */
async function sessionBy(command: string) {
  const folder = await openTempFolder()
  const { clock, pass } = jumpingClock()
  const secrets = createSecrets()
  const session = renewSession(
    {
      token: 'first-session',
      userId: 'u',
      renewal: { command: `echo >> runs; ${command}`, everySeconds: 10, obtainedAt: 0 },
    },
    {
      name: 'alice',
      clock,
      secrets,
      surroundings: { directory: folder.path, environment: env },
    },
  )
  return {
    session,
    secrets,
    folder: folder.path,
    advance: (seconds: number) => pass(seconds * 1000),
    runs: async () => (await readFile(join(folder.path, 'runs'), 'utf8').catch(() => '')).length,
    renew: () => session.renew?.() ?? 'not renewed',
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  }
}

test('is used as it is while it is fresh, and for long where a check asks for a newer one', async () => {
  await using given = await sessionBy('echo second-session')
  given.advance(9)
  expect(await given.renew()).toBe('first-session')
  expect(await given.session.renew?.(5)).toBe('second-session')
  expect(given.session.token).toBe('second-session')
  expect(given.secrets.kindOf('second-session')).toBe('session')
})

test('its command runs once for all that wait', async () => {
  await using given = await sessionBy('echo second-session')
  given.advance(10)
  expect(await Promise.all([given.renew(), given.renew(), given.renew()])).toEqual(
    Array(3).fill('second-session'),
  )
  expect(await given.runs()).toBe(1)
})

test.each([
  ['exit 3', 'exited with code 3, expected 0: run it by hand'],
  ['true', 'printed nothing, expected the credential on stdout'],
  ['echo a; echo b', 'printed several lines, expected the credential alone'],
])('a command that fails is named: %s', async (command, expected) => {
  await using given = await sessionBy(command)
  given.advance(10)
  const message = expect.stringContaining(`backend.sessions.alice.token has a command that ${expected}`)
  await expect(given.renew()).rejects.toMatchObject({ name: 'ControlLost', message })
})

test('a command that fails is left alone for a moment, and then run again', async () => {
  await using given = await sessionBy('cat session')
  given.advance(10)
  await expect(given.renew()).rejects.toThrow('exited with code 1')
  await writeFile(join(given.folder, 'session'), 'second-session')
  await expect(given.renew()).rejects.toThrow('exited with code 1')
  expect(await given.runs()).toBe(1)
  given.advance(5)
  expect(await given.renew()).toBe('second-session')
})
