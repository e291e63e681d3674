import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import type { Presence } from './lib/variants.ts'

export const broken: BrokenVariants = {
  'rejects all older tokens after a revocation': atTheEnd('key', 'rejects older tokens'),
  'rejects all older tokens after a sign-out': atTheEnd('session', 'rejects older tokens'),
  'rejects all older tokens after a suspension': atTheEnd('project', 'rejects older tokens'),
  'closes sockets of a revoked key, and takes its tokens': atTheEnd('key', 'closes sockets'),
  'closes sockets of a suspended project, and takes its tokens': atTheEnd('project', 'closes sockets'),
  'closes sockets of a signed-out user, and takes their tokens': atTheEnd('session', 'closes sockets'),
  'rejects everyone after a revocation': {
    ...atTheEnd('key', 'rejects everyone'),
    configuration: { limits: { patienceSeconds: 1 } },
    as: 'error',
  },
}

type Reaction = 'rejects older tokens' | 'closes sockets' | 'rejects everyone'

/** Signaling that learns of the end of a key, a project or a session, since mint and backend tell it. */
function atTheEnd(of: 'key' | 'project' | 'session', reaction: Reaction): Catch {
  const usersOf = new Map<string, Set<string>>()
  const issued = new Set<string>()
  let presence: Presence | undefined
  let isOver = false
  const end = (users: readonly string[]) => {
    if (isOver || users.length === 0) return
    isOver = true
    if (reaction !== 'closes sockets') return
    for (const user of users) for (const socket of presence?.sockets(user) ?? []) socket.close(4401)
  }
  let outlived: number | undefined
  const endStatus = { key: 401, project: 403, session: null }[of]
  return {
    as: 'warn',
    mint: {
      answer(usual, { headers: { authorization = '' } }) {
        const users = usersOf.get(authorization) ?? new Set<string>()
        const { token } = JSON.parse(usual.body)
        if (typeof token === 'string') {
          const { sub, jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
          usersOf.set(authorization, users.add(sub))
          if (!isOver) issued.add(jti)
        } else if (usual.status === endStatus) end([...users])
        return usual
      },
    },
    backend: {
      isLive({ expiresAt, id, userId }, now, { signedOut }) {
        outlived ??= signedOut.size
        const isLive = now < expiresAt && !signedOut.has(id)
        if (of === 'session' && !isLive && signedOut.size > outlived) end([userId])
        return isLive
      },
    },
    signaling: {
      opened(session) {
        presence = session.presence
      },
      userOf({ sub, jti }) {
        const isOlder = reaction === 'rejects older tokens' && issued.has(String(jti))
        return isOver && (isOlder || reaction === 'rejects everyone') ? null : String(sub)
      },
    },
  }
}
