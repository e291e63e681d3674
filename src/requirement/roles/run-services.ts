import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal, type Journal, type Party } from '../../base/evidence/exchange.ts'
import { createRedactor, type Redactor } from '../../base/evidence/redact.ts'
import { createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { createMutex, type Mutex } from '../../base/mutex.ts'
import { createRandom } from '../../base/seeded-random.ts'
import { readTrustedAuthorities } from '../../base/tls/trusted-authorities.ts'
import { loadSigningKey, type TestKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { createMintBudget, type MintBudget } from '../../roles/mint/budget.ts'

/** What the roles of one run share. */
export interface RunServices {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly journal: Journal
  readonly redactor: Redactor
  /** The monotonic instant that recorded times count from. */
  readonly runStart: number
  /** PEM certificates that are trusted besides the system's. */
  readonly ca: readonly string[] | undefined
  /** The suite's own requests. */
  readonly http: HttpClient
  /** A client of its own for what a double sends. */
  createHttp(from: Party): HttpClient
  /** A userId that no other check of this run, or of any other, uses. */
  newUser(): string
  /** A number in [0, 1) from the run's seed. */
  random(): number
  /** Exclusive while a check scripts the mint double. */
  readonly mutex: Mutex
  readonly mintBudget: MintBudget
  /** `token.signWith`. */
  readonly testKey: TestKey | undefined
}

export interface RunServicesOptions {
  readonly seed?: number | undefined
  readonly fingerprintKey?: string | undefined
  readonly clock?: Clock | undefined
  readonly maxMints?: number | undefined
  readonly exchangePrefix?: string | undefined
}

/** @throws TwotokenError where a file that the configuration names cannot be read */
export async function openRunServices(
  configuration: Configuration,
  {
    seed = randomBytes(4).readUInt32LE(),
    fingerprintKey,
    clock = systemClock,
    maxMints,
    exchangePrefix,
  }: RunServicesOptions,
): Promise<RunServices> {
  const { token, limits, tls } = configuration
  const journal = createJournal(exchangePrefix)
  const runStart = clock.monotonic()
  const redactor = createRedactor(fingerprintKey)
  registerSecrets(configuration, redactor)
  const ca = await readTrustedAuthorities(tls.ca)
  const run = seed.toString(36)
  const createHttp = (from: Party) =>
    createHttpClient({
      journal,
      redactor,
      clock,
      ...(ca === undefined ? {} : { ca }),
      runStart,
      deadlineMs: limits.requestSeconds * 1000,
      bodyBytes: limits.bodyBytes,
      from,
      run,
    })
  const random = createRandom(seed)
  let users = 0
  return {
    configuration,
    clock,
    journal,
    redactor,
    runStart,
    ca,
    http: createHttp('suite'),
    createHttp,
    newUser: () => `tt-${run}-${++users}-${Math.floor(random() * 36 ** 6).toString(36)}`,
    random,
    mutex: createMutex(),
    mintBudget: createMintBudget(maxMints ?? null),
    testKey: token.signWith && (await loadSigningKey(token.signWith)),
  }
}
