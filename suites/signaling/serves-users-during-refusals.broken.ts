import { setTimeout } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'

type Signaling = NonNullable<Catch['signaling']>
type Presence = Parameters<NonNullable<Signaling['opened']>>[0]['presence']

/** A decision is made well within this time. */
const decidedMs = 50

const limits = { neverSeconds: 3, patienceSeconds: 2 }
const silent = { signaling: { profile: { timeoutMs: 8_000 } } }

export const broken: BrokenVariants = {
  'makes all wait for each rejection': decidingInTurn(500),
  ...rows<Catch>(
    {
      'locks all out for good after twenty rejections': lockingOut(20),
      'keeps the connections of rejected clients': leakingConnections(20, 503),
      'keeps the connections of rejected clients, and lets others wait for one': {
        ...leakingConnections(20, 'ignore'),
        configuration: silent,
      },
      'keeps the seats of rejected clients, and looks for one behind the token': leakingSeats(20),
    },
    (variant) => ({ ...variant, configuration: { ...variant.configuration, limits } }),
  ),
  'accepts after ten rejections of a token': acceptingEvery(11),
  'lets the next user join as the rejected one': inheritingUser({ isDeclarationBelieved: true }),
  'takes the claims of the rejected token for the next one': inheritingUser({
    isDeclarationBelieved: false,
  }),
  'closes the sockets of the user whom a rejected token names': endingSockets('rejected'),
  'ends the sockets of the user whom a token names before it verifies it': endingSockets('offered'),
  'closes the sockets of the user who is declared, before it verifies the token': endingSockets('declared'),
  'bans another user for good after five rejections': banning('next', 5),
  'bans the user who joined last for good after five rejections': banning('last', 5),
}

/** Signaling that bans all until it is started again. */
function lockingOut(most: number): Catch {
  let starts = 0
  return {
    restart: () => {
      starts += 1
    },
    signaling: { banKey: () => `all since start ${starts}`, refusalsUntilBan: most },
  }
}

/** Signaling that decides on one client after the other, and takes so much longer for a rejection. */
function decidingInTurn(ms: number): Catch {
  let free = Promise.resolve()
  let owedMs = 0
  const takeTurn = async (before: Promise<void>) => {
    await before
    await setTimeout(decidedMs)
    const rest = owedMs
    owedMs = 0
    await setTimeout(rest)
  }
  return {
    signaling: {
      async pause() {
        const before = free
        free = takeTurn(before)
        await before
      },
      refuse(_, announced) {
        owedMs += ms
        return announced
      },
    },
    as: 'warn',
  }
}

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

function leakingConnections(most: number, whenFull: 503 | 'ignore'): Catch {
  return leaking(most, (isFull) => ({ handshake: () => (isFull() ? whenFull : 'upgrade') }))
}

/** A valid token without a seat is answered with 1013. */
function leakingSeats(most: number): Catch {
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
function acceptingEvery(nth: number): Catch {
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
function inheritingUser({ isDeclarationBelieved }: { isDeclarationBelieved: boolean }): Catch {
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
function banning(whom: 'next' | 'last', most: number): Catch {
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
function endingSockets(when: 'rejected' | 'offered' | 'declared'): Catch {
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
