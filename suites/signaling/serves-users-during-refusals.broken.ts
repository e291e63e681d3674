import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import {
  acceptingEvery,
  banning,
  endingSockets,
  inheritingUser,
  leakingConnections,
  leakingSeats,
} from './lib/variant-damage.ts'

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
