import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal, type Party } from '../../base/evidence/exchange.ts'
import { createFingerprintKey, createSecrets } from '../../base/evidence/secrets.ts'
import { createHttpClient } from '../../base/http/client.ts'
import { createLimiter, createPacers } from '../../base/http/limiter.ts'
import { openNetwork } from '../../base/http/network.ts'
import { loadSigningKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { createMintBudget } from '../../roles/mint/budget.ts'
import { type Choices, createChoices } from '../choices.ts'

/** Services that the roles of one run share. */
export type RunServices = Awaited<ReturnType<typeof openRunServices>>

export interface RunServicesOptions {
  readonly seed?: number | undefined
  /** Key of the run that these are a part of, in hexadecimal; a new one where absent. */
  readonly fingerprintKey?: string | undefined
  readonly clock?: Clock | undefined
  /** Calling tokens that may be issued; no limit where absent. */
  readonly maxMints?: number | undefined
  /** Begins the ids of the exchanges, where other processes record for the same run. */
  readonly exchangePrefix?: string | undefined
}

/** @throws TwotokenError where a file that the configuration names cannot be read */
export async function openRunServices(
  configuration: Configuration,
  {
    seed = randomBytes(4).readUInt32LE(),
    fingerprintKey = createFingerprintKey(),
    clock = systemClock,
    maxMints,
    exchangePrefix,
  }: RunServicesOptions,
) {
  const { token, limits } = configuration
  const journal = createJournal(exchangePrefix, clock)
  const secrets = createSecrets(fingerprintKey)
  registerSecrets(configuration, secrets)
  const network = await openNetwork(configuration)
  const run = seed.toString(36)
  const pacers = createPacers(limits.pace, clock, false)
  const createHttp = (from: Party) =>
    createHttpClient({
      journal,
      clock,
      network,
      deadlineMs: limits.requestSeconds * 1000,
      bodyBytes: limits.bodyBytes,
      from,
      run,
      // A backend under test must never wait behind the suite's own requests: its call has waited for both.
      pacers: from === 'mint-double' ? undefined : pacers,
    })
  const made = new Map<string, Choices>()
  /** One object for all tries of a check, so that each try has different users. */
  const choicesFor = (name: string) => {
    const choices = made.get(name) ?? createChoices(seed, name, configuration.mint?.userIds)
    made.set(name, choices)
    return choices
  }
  return {
    configuration,
    clock,
    journal,
    secrets,
    fingerprintKey,
    /** Names this run in what it sends. */
    run,
    ca: network.ca,
    network,
    http: createHttp('suite'),
    createHttp,
    pacers,
    /** The pace that is found for a part while it is asked. */
    paces: {
      mint: createLimiter(clock, limits),
      backend: createLimiter(clock, limits),
      signaling: createLimiter(clock, limits),
    },
    /** A userId that no check uses. */
    newUser: choicesFor('suite').newUser,
    choicesFor,
    mintBudget: createMintBudget(maxMints ?? null),
    testKey: token.signWith && (await loadSigningKey(token.signWith)),
  }
}
