import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { type Presence, type Signaling, subjectOf } from './lib/variants.ts'

/** A decision is made well within this time, and a rejection takes so much longer. */
const decidedMs = 50
const rejectedMs = 500
/** So many rejections take all the room that there is. */
const most = 20

const limits = { neverSeconds: 3, patienceSeconds: 2 }

export const broken: BrokenVariants = {
  'makes all wait for each rejection': decidingInTurn(),
  ...rows<Catch>(
    {
      'locks all out for good after twenty rejections': lockingOut(),
      'keeps the connections of rejected clients': leakingConnections(503),
      'keeps the connections of rejected clients, and lets others wait for one': {
        ...leakingConnections('ignore'),
        configuration: { signaling: { profile: { timeoutMs: 8_000 } } },
      },
      'keeps the seats of rejected clients, and looks for one behind the token': leakingSeats(),
    },
    (variant) => ({ ...variant, configuration: { ...variant.configuration, limits } }),
  ),
  'accepts after ten rejections of a token': acceptingEleventh(),
  'lets the next user join as the rejected one': inheritingUser((user) => user),
  'takes the claims of the rejected token for the next one': inheritingUser((user, declared) =>
    declared === user ? user : null,
  ),
  'closes the sockets of the user whom a rejected token names': endingSockets('rejected'),
  'closes the sockets of the user who is declared, before it verifies the token': endingSockets('declared'),
  'bans the user who joined last for good after five rejections': banningLast(),
}

/** Signaling that bans all until it is started again. */
function lockingOut(): Catch {
  let starts = 0
  return {
    restart: () => {
      starts += 1
    },
    signaling: { banKey: () => `all since start ${starts}`, refusalsUntilBan: most },
  }
}

/** Signaling that decides on one client after the other, and takes so much longer for a rejection. */
function decidingInTurn(): Catch {
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
        owedMs += rejectedMs
        return announced
      },
    },
    as: 'warn',
  }
}

/** Each rejected client keeps one of so many places; `isFull` tells what the others meet. */
function leaking(signalingOf: (isFull: () => boolean) => Signaling): Catch {
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

function leakingConnections(whenFull: 503 | 'ignore'): Catch {
  return leaking((isFull) => ({ handshake: () => (isFull() ? whenFull : 'upgrade') }))
}

/** A valid token without a seat is answered with 1013. */
function leakingSeats(): Catch {
  let lacksSeat = false
  return leaking((isFull) => ({
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

/** A verifier that gives up: each eleventh attempt with a bad signature is accepted. */
function acceptingEleventh(): Catch {
  let failures = 0
  return {
    signaling: {
      async signatureHolds(_, __, usual) {
        if (await usual()) return true
        failures += 1
        return failures % 11 === 0
      },
    },
  }
}

/** The user of a rejected token stays behind, and is taken for that of the next one. */
function inheritingUser(joinsAs: NonNullable<Signaling['joinsAs']>): Catch {
  let left: string | null = null
  return {
    signaling: {
      async signatureHolds({ token }, _, usual) {
        if (await usual()) return true
        left = subjectOf(token)
        return false
      },
      userOf({ sub }) {
        const user = left ?? (typeof sub === 'string' ? sub : null)
        left = null
        return user
      },
      joinsAs,
    },
  }
}

/** Five rejections of anyone ban the user who has joined last, for good. */
function banningLast(): Catch {
  const banned = new Set<string>()
  let last: string | null = null
  let rejections = 0
  return {
    signaling: {
      joinsAs(user, declared) {
        if (declared !== user || banned.has(user)) return null
        last = user
        return user
      },
      refuse(_, announced) {
        rejections += 1
        if (rejections % 5 === 0 && last !== null) banned.add(last)
        return announced
      },
    },
  }
}

/** Closes the open sockets of a user who is named by a token that was rejected, or beside a token. */
function endingSockets(when: 'rejected' | 'declared'): Catch {
  let presence: Presence | undefined
  const end = (user: string | null) => {
    for (const socket of (user === null ? null : presence?.sockets(user)) ?? []) socket.close(4409)
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
        if (await usual()) return true
        if (when === 'rejected') end(subjectOf(token))
        return false
      },
    },
    as: 'warn',
  }
}
