import { expect, test } from 'vitest'
import { ControlLost } from '../../base/inconclusive.ts'
import { createDevices } from './devices.ts'

/** A login that counts the sessions that it gives. */
function createLogin() {
  let many = 0
  const ended: string[] = []
  const signIn = (userId: string) => {
    const session = {
      userId,
      token: '',
      renew: async (olderThanSeconds = 3_600) => {
        if (olderThanSeconds === 0 || session.token === '') session.token = `${userId} ${++many}`
        return session.token
      },
    }
    return session
  }
  const endSession = async (session: string) => void ended.push(session)
  return { signIn, endSession, ended }
}

const tokenOf = async (devices: ReturnType<typeof createDevices>, caller: 'an expired session' | 'alice') =>
  (await devices.present(caller)).session

test("alice's session is signed out where none is configured", async () => {
  const { signIn, endSession, ended } = createLogin()
  const alice = signIn('u-alice')
  await alice.renew()
  const devices = createDevices({ sessions: { alice }, endSession })
  await devices.endOne()
  await devices.endOne()
  expect(ended).toEqual(['u-alice 1'])
  expect(await devices.present('a signed-out session')).toMatchObject({ session: 'u-alice 1', userId: null })
  expect(await tokenOf(devices, 'alice')).toBe('u-alice 2')
})

test('no session is signed out where one is configured, or where a live one cannot be obtained anew', async () => {
  const { signIn, endSession, ended } = createLogin()
  const configured = createDevices({
    sessions: { alice: signIn('u-alice'), 'a signed-out session': { token: 'signed out' } },
    endSession,
  })
  const fixed = createDevices({
    sessions: { alice: signIn('u-alice'), bob: { token: 'bob 1', userId: 'u-bob' } },
    endSession,
  })
  await configured.endOne()
  await fixed.endOne()
  expect(ended).toEqual([])
  expect(fixed.has('a signed-out session')).toBe(false)
})

test('a sign-out that fails leaves the signed-out session out', async () => {
  const { signIn } = createLogin()
  const endSession = async () => {
    throw new ControlLost('hooks.signOut failed')
  }
  const devices = createDevices({ sessions: { alice: signIn('u-alice') }, endSession })
  expect(devices.has('a signed-out session')).toBe(true)
  await devices.endOne()
  expect(devices.has('a signed-out session')).toBe(false)
})
