import { setTimeout as delay } from 'node:timers/promises'
import type { Configuration } from '../../configuration/configuration.ts'
import { silenceOf } from './answering.ts'

const pauseMs = 100

export interface Address {
  readonly key: string
  readonly url: string
}

/** Where the parts of a configuration are reached. */
export function addressesOf({ mint, backend, signaling }: Configuration): Address[] {
  const written = { 'mint.url': mint?.url, 'backend.url': backend?.url, 'signaling.url': signaling?.url }
  return Object.entries(written).flatMap(([key, url]) => (url === undefined ? [] : [{ key, url }]))
}

/** The addresses at which nobody answers, each with the reason. */
export async function silentOnes(addresses: readonly Address[]): Promise<string[]> {
  const silences = await Promise.all(
    addresses.map(async ({ key, url }) => {
      const silence = await silenceOf(url)
      return silence === null ? [] : [`${key} (${url}): ${silence}`]
    }),
  )
  return silences.flat()
}

/** Waits until all answer, the time is over or `isOver` says that it is of no use; returns those that do not. */
export async function untilAllAnswer(
  addresses: readonly Address[],
  { seconds, isOver, signal }: { seconds: number; isOver: () => boolean; signal: AbortSignal },
): Promise<string[]> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    signal.throwIfAborted()
    const silent = await silentOnes(addresses)
    if (silent.length === 0 || isOver() || performance.now() > deadline) return silent
    await delay(pauseMs, undefined, { signal })
  }
}
