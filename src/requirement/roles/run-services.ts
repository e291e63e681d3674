import { randomBytes } from 'node:crypto'
import { type AnswerWait, createAnswerWait } from '../../base/answer-wait.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal, type Journal, type Party } from '../../base/evidence/exchange.ts'
import { createFingerprintKey, createRedactor, type Redactor } from '../../base/evidence/redact.ts'
import { createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { type Network, openNetwork } from '../../base/http/network.ts'
import { createLimiter, createPacers, type Limiter, type Pacers } from '../../base/limiter.ts'
import type { PacedPart } from '../../base/limits.ts'
import { loadSigningKey, type TestKey } from '../../base/tokens/signing-key.ts'
import type { TellWait, ToldWait } from '../../base/told-wait.ts'
import { judgedCheck } from '../../base/watchdog.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { createMintBudget, type MintBudget } from '../../roles/mint/budget.ts'
import { type Choices, createChoices } from '../choices.ts'

/** Services that the roles of one run share. */
export interface RunServices {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly journal: Journal
  readonly redactor: Redactor
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
  /** How long the answers of a part are waited for. */
  readonly waits: { of(part: Party): AnswerWait }
  /** Tells a long wait of the check that is judged. */
  readonly tellWait: TellWait
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
  readonly fingerprintKey?: string | undefined
  readonly clock?: Clock | undefined
  readonly maxMints?: number | undefined
  readonly exchangePrefix?: string | undefined
  /** A check begins to wait, or its wait is over. */
  readonly onWaiting?: (checkId: string, wait: ToldWait) => void
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
    onWaiting = () => undefined,
  }: RunServicesOptions,
): Promise<RunServices> {
  const { token, limits } = configuration
  const journal = createJournal(exchangePrefix)
  const runStart = clock.monotonic()
  const redactor = createRedactor(fingerprintKey)
  registerSecrets(configuration, redactor)
  const network = await openNetwork(configuration)
  const run = seed.toString(36)
  const waits = createAnswerWaits()
  const tellWait: TellWait = (wait) => {
    const check = judgedCheck()
    if (check !== undefined) onWaiting(check, wait)
  }
  const pacers = createPacers(limits.pace, clock, false, tellWait)
  const createHttp = (from: Party) =>
    createHttpClient({
      journal,
      redactor,
      clock,
      network,
      runStart,
      deadlineMs: limits.requestSeconds * 1000,
      bodyBytes: limits.bodyBytes,
      from,
      run,
      // A backend under test must never wait behind the suite's own requests: its call has waited for both.
      pacers: from === 'mint-double' ? undefined : pacers,
      waits: from === 'mint-double' ? undefined : waits,
      tellWait: from === 'mint-double' ? undefined : tellWait,
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
    redactor,
    fingerprintKey,
    run,
    runStart,
    ca: network.ca,
    network,
    http: createHttp('suite'),
    createHttp,
    pacers,
    paces: {
      mint: createLimiter(clock, limits, tellingOf('the mint', tellWait)),
      backend: createLimiter(clock, limits, tellingOf('the backend', tellWait)),
      signaling: createLimiter(clock, limits, tellingOf('signaling', tellWait)),
    },
    waits,
    tellWait,
    newUser: choicesFor('suite').newUser,
    choicesFor,
    mintBudget: createMintBudget(maxMints ?? null),
    testKey: token.signWith && (await loadSigningKey(token.signWith)),
  }
}

/** Names the part whose limit is waited for. */
function tellingOf(part: string, tell: TellWait): TellWait {
  return ({ what, seconds }) => tell({ what: `${what} of ${part}`, seconds })
}

function createAnswerWaits(): RunServices['waits'] {
  const made = new Map<Party, AnswerWait>()
  return {
    of(part) {
      const known = made.get(part) ?? createAnswerWait()
      made.set(part, known)
      return known
    },
  }
}
