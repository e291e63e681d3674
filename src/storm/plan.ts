import { TwotokenError } from '../base/errors.ts'
import { isLoopbackName } from '../base/http/requested-address.ts'
import type { Shard } from '../base/shard.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { Profile } from './profiles.ts'

/** A storm as data: it goes to every process that makes a part of the load. */
export interface StormPlan {
  readonly profile: Profile
  /** On all machines together. */
  readonly users: number
  readonly shard: Shard
  /** Seconds over which the users arrive. */
  readonly rampSeconds: number
  /** Seconds from the first arrival until no user begins another turn. */
  readonly seconds: number
  /** Turns of all users that are taken in any case, however slow the machine is; none where absent. */
  readonly leastTurns?: number
  /** Milliseconds between two turns of a user, on the average. */
  readonly thinkMs: number
  /** Milliseconds between two moments at which all tokens expire, or signaling restarts. */
  readonly waveMs: number
  /** Milliseconds over which clients spread what they all do at once. */
  readonly jitterMs: number
}

/** Users of this machine: the first ones have one more where the number does not divide. */
export function countOwnUsers({
  users,
  shard: { index, count },
}: Pick<StormPlan, 'users' | 'shard'>): number {
  return Math.ceil((users - index + 1) / count)
}

/**
 * Load goes only where the configuration allows it.
 * @throws TwotokenError `usage` or `configuration`, in one sentence
 */
export function assertAllowed({ users, profile }: StormPlan, configuration: Configuration): void {
  const { load, mint, backend, signaling } = configuration
  const parts = { mint, backend, signaling }
  if (Object.values(parts).every((part) => part === undefined))
    throw new TwotokenError('configuration', 'storm needs a mint, a backend or signaling: configure one')
  for (const [name, part] of Object.entries(parts)) {
    const host = part === undefined ? 'localhost' : new URL(part.url).hostname
    if (!isLoopbackName(host) && !load.hosts.includes(host))
      throw new TwotokenError(
        'configuration',
        `storm puts load on this machine alone, and ${name}.url names ${host}: add it to load.hosts where you may put load on it`,
      )
  }
  if (users > load.maxUsers)
    throw new TwotokenError(
      'usage',
      `--users ${users} is above load.maxUsers (${load.maxUsers}): raise it in the configuration`,
    )
  if (profile === 'cap' && mint?.keys.capped === undefined && backend?.fakeMint === undefined)
    throw new TwotokenError(
      'configuration',
      '--profile cap needs mint.keys.capped, or backend.fakeMint to answer 429',
    )
  if (profile === 'restart' && signaling?.access === undefined)
    throw new TwotokenError('configuration', '--profile restart needs signaling with a profile or an adapter')
}
