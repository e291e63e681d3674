import { decodeJwt } from 'jose'
import type { Catch } from '../../../src/requirement/define.ts'

type Variant = Pick<Catch, 'signaling'>
type Signaling = NonNullable<Catch['signaling']>
type Presence = Parameters<NonNullable<Signaling['opened']>>[0]['presence']

/** Each rejected client keeps one of so many places; `isFull` tells what the others meet. */
function leaking(most: number, signalingOf: (isFull: () => boolean) => Signaling): Catch {
  let free = most
  const { refuse, ...signaling } = signalingOf(() => free <= 0)
  return {
    restart: () => {
      free = most
    },
    signaling: {
      ...signaling,
      refuse(reason, announced) {
        free -= 1
        return refuse?.(reason, announced) ?? announced
      },
    },
  }
}

export function leakingConnections(most: number, whenFull: 503 | 'ignore'): Catch {
  return leaking(most, (isFull) => ({ handshake: () => (isFull() ? whenFull : 'upgrade') }))
}

/** A valid token without a seat is answered with 1013. */
export function leakingSeats(most: number): Catch {
  let lacksSeat = false
  return leaking(most, (isFull) => ({
    signatureHolds(_, __, usual) {
      lacksSeat = false
      return usual()
    },
    joinsAs(user, declared) {
      lacksSeat = declared === user && isFull()
      return declared === user && !lacksSeat ? user : null
    },
    refuse: (_, announced) => (lacksSeat ? { by: 'close', code: 1013 } : announced),
  }))
}

/** A verifier that gives up: each such attempt with a bad signature is accepted. */
export function acceptingEvery(nth: number): Variant {
  let failures = 0
  return {
    signaling: {
      async signatureHolds(_, __, usual) {
        if (await usual()) return true
        failures += 1
        return failures % nth === 0
      },
    },
  }
}

/** The user of a rejected token stays behind, and is taken for that of the next one. */
export function inheritingUser({ isDeclarationBelieved }: { isDeclarationBelieved: boolean }): Variant {
  let left: string | null = null
  return {
    signaling: {
      async signatureHolds({ token }, _, usual) {
        if (await usual()) return true
        const { sub } = decodeJwt(token)
        left = sub ?? null
        return false
      },
      userOf({ sub }) {
        const user = left ?? (typeof sub === 'string' ? sub : null)
        left = null
        return user
      },
      joinsAs: (user, declared) => (isDeclarationBelieved || declared === user ? user : null),
    },
  }
}

/** So many rejections of anyone ban the next user who joins, or the one who has joined last, for good. */
export function banning(whom: 'next' | 'last', most: number): Variant {
  const banned = new Set<string>()
  let last: string | null = null
  let rejections = 0
  return {
    signaling: {
      joinsAs(user, declared) {
        if (declared !== user) return null
        if (whom === 'next' && rejections >= most) {
          rejections = 0
          banned.add(user)
        }
        if (banned.has(user)) return null
        last = user
        return user
      },
      refuse(_, announced) {
        rejections += 1
        if (whom === 'last' && rejections % most === 0 && last !== null) banned.add(last)
        return announced
      },
    },
  }
}

/** Ends the open sockets of a user who is named by a token that was rejected, or that was offered, or beside it. */
export function endingSockets(when: 'rejected' | 'offered' | 'declared'): Catch {
  let presence: Presence | undefined
  const end = (user: string | null | undefined) => {
    for (const socket of (user == null ? null : presence?.sockets(user)) ?? [])
      if (when === 'offered') socket.terminate()
      else socket.close(4409)
  }
  return {
    signaling: {
      opened(session) {
        presence = session.presence
      },
      handshake({ url }) {
        if (when === 'declared') end(new URL(url ?? '', 'wss://localhost').searchParams.get('as'))
        return 'upgrade'
      },
      async signatureHolds({ token }, _, usual) {
        if (when === 'offered') end(decodeJwt(token).sub)
        if (await usual()) return true
        if (when === 'rejected') end(decodeJwt(token).sub)
        return false
      },
    },
    as: 'warn',
  }
}
