import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'

const older: AtTheEnd = { rejects: ({ isOlder }) => isOlder }
const olderOfOthers: AtTheEnd = { rejects: ({ isOlder, isEnded }) => isOlder && !isEnded }
const own: AtTheEnd = { closes: ({ isEnded }) => isEnded }

export const broken: BrokenVariants = {
  'rejects all older tokens after a revocation': atTheEnd('key', older),
  'rejects all older tokens after a sign-out': atTheEnd('session', older),
  'rejects all older tokens after a suspension': atTheEnd('project', older),
  'rejects older tokens of others alone after a revocation': atTheEnd('key', olderOfOthers),
  'rejects older tokens of others alone after a sign-out': atTheEnd('session', olderOfOthers),
  'closes sockets of a revoked key, and takes its tokens': atTheEnd('key', own),
  'closes sockets of a suspended project, and takes its tokens': atTheEnd('project', own),
  'closes sockets of a signed-out user, and takes their tokens': atTheEnd('session', own),
  'rejects everyone after a revocation': {
    ...atTheEnd('key', { rejects: () => true }),
    configuration: { limits: { patienceSeconds: 1 } },
    as: 'error',
  },
}

type Signaling = NonNullable<Catch['signaling']>
type Presence = Parameters<NonNullable<Signaling['opened']>>[0]['presence']

/** A user, or the token of one, after the end. */
interface Concerned {
  /** The key or session that has ended is theirs. */
  readonly isEnded: boolean
  /** The token was issued before the end. */
  readonly isOlder: boolean
}

interface AtTheEnd {
  readonly rejects?: (token: Concerned) => boolean
  readonly closes?: (socket: Concerned) => boolean
}

/** Signaling that learns of the end of a key, a project or a session, since mint and backend tell it. */
function atTheEnd(of: 'key' | 'project' | 'session', { rejects, closes }: AtTheEnd): Catch {
  const usersOf = new Map<string, Set<string>>()
  const ended = new Set<string>()
  const issued = new Set<string>()
  let presence: Presence | undefined
  const end = (users: Iterable<string>) => {
    const isFirst = ended.size === 0
    for (const user of users) ended.add(user)
    if (!isFirst || ended.size === 0) return
    for (const user of presence?.peers() ?? [])
      if (closes?.({ isEnded: ended.has(user), isOlder: true }) === true)
        for (const socket of presence?.sockets(user) ?? []) socket.close(4401)
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
          if (ended.size === 0) issued.add(jti)
        } else if (usual.status === endStatus) end(users)
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
        const user = String(sub)
        const token = { isEnded: ended.has(user), isOlder: issued.has(String(jti)) }
        return ended.size > 0 && rejects?.(token) === true ? null : user
      },
    },
  }
}
