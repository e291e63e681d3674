import type { UserSession } from './configuration.ts'
import type { Backend } from './driver.ts'

/** Finds those that get no token by now: that another part rejects an ended session shows nothing. */
export async function findEnded(
  backend: Pick<Backend, 'request' | 'tokenOf'>,
  sessions: readonly UserSession[],
): Promise<readonly UserSession[]> {
  const replies = await Promise.all(
    sessions.map((session) => backend.request({ session, followRedirects: true })),
  )
  return sessions.filter((_, place) => {
    const reply = replies[place]
    return reply === undefined || backend.tokenOf(reply) === null
  })
}
