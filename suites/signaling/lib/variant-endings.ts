import type { Catch } from '../../../src/requirement/define.ts'

type Signaling = NonNullable<Catch['signaling']>
type Presence = Parameters<NonNullable<Signaling['opened']>>[0]['presence']

/** A user, or the token of one, after the end. */
interface Concerned {
  /** The key or session that has ended is theirs. */
  readonly isEnded: boolean
  /** The token was issued before the end. */
  readonly isOlder: boolean
}

export interface AtTheEnd {
  readonly rejects?: (token: Concerned) => boolean
  readonly closes?: (socket: Concerned) => boolean
  readonly code?: number
}

/** Signaling that learns of the end of a key, a project or a session, since mint and backend tell it. */
export function atTheEnd(
  of: 'key' | 'project' | 'session',
  { rejects, closes, code = 4401 }: AtTheEnd,
): Catch {
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
        for (const socket of presence?.sockets(user) ?? []) socket.close(code)
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
