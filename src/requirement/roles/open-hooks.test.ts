import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { openHooks } from './open-hooks.ts'

const session = 'session-that-is-to-end-4711'
/** `OTHER_TOKEN` is nothing that a hook was given. */
const shell = { PATH: process.env['PATH'], ADMIN_TOKEN: 'one', DEPLOY_KEY: 'two', OTHER_TOKEN: 'three' }

async function opened<T>(
  hooks: Configuration['hooks'],
  use: (folder: string, opened: ReturnType<typeof openHooks>) => Promise<T>,
) {
  await using folder = await openTempFolder()
  const configuration = {
    directory: folder.path,
    hooks,
    environment: ['ADMIN_*'],
    backend: { sessions: { aliceSecondDevice: { token: session, userId: 'u' } } },
  } as unknown as Configuration
  return await use(folder.path, openHooks({ configuration }, { token: session, userId: 'u' }, shell))
}

test('a hook runs in the folder of the configuration, and is told what it is about', () =>
  opened({ signOut: { command: 'echo "$TWOTOKEN_SESSION" > told' } }, async (folder, { signOutHook }) => {
    const chosen = await signOutHook?.choose()
    await chosen?.run()
    expect(chosen?.session).toBe(session)
    expect(await readFile(join(folder, 'told'), 'utf8')).toBe(`${session}\n`)
  }))

test('a hook gets the variables that the configuration or its own command names', () =>
  opened(
    { rotateKeys: { command: 'env > told; test "$DEPLOY_KEY" = two' } },
    async (folder, { rotateKeysHook }) => {
      await rotateKeysHook?.run()
      const told = await readFile(join(folder, 'told'), 'utf8')
      expect(told).toContain('ADMIN_TOKEN=one')
      expect(told).not.toContain('three')
    },
  ))

test('a session of its own comes before the second device', () =>
  opened({ signOut: { command: 'true', session: 'another-session' } }, async (_, { signOutHook }) => {
    expect((await signOutHook?.choose())?.session).toBe('another-session')
  }))

test('a hook that fails is a lost control, which shows nothing of what it was told', () =>
  opened({ signOut: { command: 'echo $TWOTOKEN_SESSION >&2; exit 3' } }, async (_, { signOutHook }) => {
    const failed = await (await signOutHook?.choose())?.run().catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'ControlLost' })
    expect(String(failed)).toContain('hooks.signOut has a command that exited with code 3')
    expect(String(failed)).not.toContain(session)
  }))

test('leaves out a hook whose subject is missing', () =>
  opened({ revokeKey: { command: 'true' } }, async (_, hooks) => {
    expect(hooks).toEqual({})
  }))
