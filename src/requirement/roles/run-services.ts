import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal, type Journal, type Party } from '../../base/evidence/exchange.ts'
import { createFingerprintKey, createSecrets, type Secrets } from '../../base/evidence/secrets.ts'
import { createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { createLimiter, createPacers, type Limiter, type Pacers } from '../../base/http/limiter.ts'
import type { PacedPart } from '../../base/http/limits.ts'
import { type Network, openNetwork } from '../../base/http/network.ts'
import { loadSigningKey, type TestKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { createMintBudget, type MintBudget } from '../../roles/mint/budget.ts'
import { type Choices, createChoices } from '../choices.ts'

/** Services that the roles of one run share. */
export interface RunServices {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly journal: Journal
  readonly secrets: Secrets
  readonly fingerprintKey: string
  /** Names this run in what it sends. */
  readonly run: string
  /** The monotonic instant that recorded times count from. */
  readonly runStart: number
  /** PEM certificates that are trusted besides the system's. */
  readonly ca: readonly string[] | undefined
  /** How the suite's own connections are made. */
  readonly network: Network
  /** The suite's own requests. */
  readonly http: HttpClient
  /** A client of its own for what a double sends. */
  createHttp(from: Party): HttpClient
  /** Whose turn a request to a part has to wait for. */
  readonly pacers: Pacers
  /** The pace that is found for a part while it is asked. */
  readonly paces: Readonly<Record<PacedPart, Limiter>>
  /** A userId that no check uses. */
  newUser(): string
  /**
   * Returns the made-up values for a check: one object for all its tries, so that each try has different
   * users.
   */
  choicesFor(checkId: string): Choices
  /** Exclusive while a check scripts the mint double. */
  readonly mintBudget: MintBudget
  /** `token.signWith`. */
  readonly testKey: TestKey | undefined
}

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
): Promise<RunServices> {
  const { token, limits } = configuration
  const journal = createJournal(exchangePrefix)
  const runStart = clock.monotonic()
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
      runStart,
      deadlineMs: limits.requestSeconds * 1000,
      bodyBytes: limits.bodyBytes,
      from,
      run,
      // A backend under test must never wait behind the suite's own requests: its call has waited for both.
      pacers: from === 'mint-double' ? undefined : pacers,
    })
  const made = new Map<string, Choices>()
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
    run,
    runStart,
    ca: network.ca,
    network,
    http: createHttp('suite'),
    createHttp,
    pacers,
    paces: {
      mint: createLimiter(clock, limits),
      backend: createLimiter(clock, limits),
      signaling: createLimiter(clock, limits),
    },
    newUser: choicesFor('suite').newUser,
    choicesFor,
    mintBudget: createMintBudget(maxMints ?? null),
    testKey: token.signWith && (await loadSigningKey(token.signWith)),
  }
}
