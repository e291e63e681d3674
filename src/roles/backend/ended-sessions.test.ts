import { expect, test } from 'vitest'
import { exactSessionOf, findEnded } from './ended-sessions.ts'

const session = (token: string) => ({ token, userId: `u-${token}` })

test('a session that gets no token has ended', async () => {
  const backend = {
    request: async ({ session: sent }: { readonly session?: unknown }) => sent,
    tokenOf: (sent: { readonly token: string }) => (sent.token === 'live' ? 'ey' : null),
  }
  const ended = await findEnded(backend as never, [session('live'), session('old')])
  expect(ended).toEqual([session('old')])
})

test('a session is sent as it is now, and not renewed meanwhile', async () => {
  const backend = { exactSession: async () => 'renewed' }
  const user = { ...session('old'), cookie: 'sid=1', renew: async () => 'later' }
  expect(await exactSessionOf(backend, user)).toEqual({ token: 'renewed', userId: 'u-old', cookie: 'sid=1' })
})
