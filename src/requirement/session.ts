import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../base/clock.ts'
import { createJournal, type Journal, type Party } from '../base/evidence/exchange.ts'
import { createRedactor, type Redactor } from '../base/evidence/redact.ts'
import { createHttpClient, type HttpClient } from '../base/http/client.ts'
import { createTurns } from '../base/mutex.ts'
import { randomFrom } from '../base/seeded-random.ts'
import type { ServerCertificate } from '../base/tls/certificates.ts'
import { trusted } from '../base/tls/trusted-authorities.ts'
import { loadJwks } from '../base/tokens/jwks.ts'
import { loadSigningKey } from '../base/tokens/signing-key.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { registerSecrets } from '../configuration/register-secrets.ts'
import { callingTokensOf } from '../roles/backend/calling-tokens.ts'
import { createBackend } from '../roles/backend/driver.ts'
import { settleShape } from '../roles/backend/settle-body-shape.ts'
import { type BrowserSource, createBrowserSource } from '../roles/client/browser.ts'
import type { Observer } from '../roles/client/manual-device.ts'
import { createClientPart, spokenProfile } from '../roles/client/open-client.ts'
import { speechOf } from '../roles/client/signaling-responses.ts'
import { createEvidence } from '../roles/client/trace-recorder.ts'
import { createTaps } from '../roles/flow/recorded-hops.ts'
import { countingOnly, createMintBudget, type MintBudget } from '../roles/mint/budget.ts'
import { createMint } from '../roles/mint/driver.ts'
import { createExpiry } from '../roles/mint/expiry.ts'
import { openMintDouble } from '../roles/mint/open-double.ts'
import { openSignalingDriver } from '../roles/signaling/open-driver.ts'
import { givenCredentials } from './given-credentials.ts'
import type { Judge } from './judge.ts'
import { type Common, firstMissing, type Missing, missingPart, type Need, type Needed } from './needs.ts'
import { createRetrialQueue, type RetrialQueue } from './retrial-queue.ts'

export interface SessionOptions {
  /** `false` leaves the expiry cases untested (`--no-wait`). */
  readonly wait?: boolean
  readonly seed?: number
  /** Of the run that it is a part of, in hexadecimal; one of its own where absent. */
  readonly fingerprintKey?: string
  readonly clock?: Clock
  /** What the mint double proves itself with, where it listens with TLS. */
  readonly doubleCertificate?: ServerCertificate
  /** Calling tokens that may be issued; no limit where absent. */
  readonly maxMints?: number | undefined
  /** A browser to share with other sessions; one of its own, started when a page is opened, where absent. */
  readonly browsers?: BrowserSource
  /** Where traces and screenshots of checks that came to no good go; none are made where absent. */
  readonly evidenceFolder?: string
  /** Somebody operates a device, which is the client under test. */
  readonly observer?: Observer
  /** Of a client that is a program; nothing but the doubles' addresses where absent. */
  readonly environment?: NodeJS.ProcessEnv
  /** Begins the ids of the exchanges, where other processes record for the same run. */
  readonly exchangePrefix?: string
  /** A check begins to wait for so many seconds. */
  readonly onWaiting?: (checkId: string, seconds: number) => void
}

/** Everything that the checks of one run share: connections, doubles, evidence, and the run's secrets. */
export interface Session extends AsyncDisposable {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly journal: Journal
  readonly redactor: Redactor
  readonly http: HttpClient
  readonly mintBudget: MintBudget
  readonly retrials: RetrialQueue
  /** Keeps the traces and screenshots of a check, or forgets them; the names of the files. */
  settleEvidence(checkId: string, isWanted: boolean): Promise<string[]>
  partsFor(
    check: { readonly id: string; readonly needs: readonly Need[] },
    judge: Judge,
  ): Common | { readonly missing: Missing }
}

/** Connects nothing yet but the doubles; throws `TwotokenError` when one of those cannot be started. */
export async function openSession(
  configuration: Configuration,
  {
    wait = true,
    seed = randomBytes(4).readUInt32LE(),
    fingerprintKey,
    clock = systemClock,
    doubleCertificate,
    maxMints,
    browsers,
    exchangePrefix,
    environment = {},
    observer,
    evidenceFolder,
    onWaiting = () => {},
  }: SessionOptions = {},
): Promise<Session> {
  const { mint, backend, token, limits, client } = configuration
  const journal = createJournal(exchangePrefix)
  const runStart = clock.monotonic()
  const redactor = createRedactor(fingerprintKey)
  registerSecrets(configuration, redactor)
  const ca = await trusted(configuration.tls.ca)
  const clientOf = (from: Party) =>
    createHttpClient({
      journal,
      redactor,
      clock,
      ...(ca === undefined ? {} : { ca }),
      runStart,
      deadlineMs: limits.requestSeconds * 1000,
      bodyBytes: limits.bodyBytes,
      from,
    })
  const http = clientOf('suite')
  // A backend under test must never wait behind the suite's own requests.
  const forwarding = clientOf('mint-double')
  const random = randomFrom(seed)
  const run = seed.toString(36)
  let users = 0
  const newUser = () => `tt-${run}-${++users}-${Math.floor(random() * 36 ** 6).toString(36)}`
  const turns = createTurns()

  const mintBudget = createMintBudget(maxMints ?? null)
  const mintThrough = (client: HttpClient, budget: MintBudget) =>
    mint && createMint({ mint, token, http: client, redactor, clock, newUser, budget })
  const mintPart = mintThrough(http, mintBudget)
  const alice = backend?.sessions.alice
  const onSuccess = () => {
    if (backend?.fakeMint === undefined) mintBudget.count()
  }
  const backendPart = backend && alice && createBackend({ backend, alice, http, redactor, turns, onSuccess })
  const testKey = token.signWith && (await loadSigningKey(token.signWith))
  const mintDouble =
    backend?.fakeMint &&
    (await openMintDouble(backend.fakeMint, {
      realMint: mintThrough(forwarding, countingOnly(mintBudget)),
      testKey: testKey ?? null,
      certificate: doubleCertificate,
      turns,
      journal,
      redactor,
      clock,
      runStart,
      bodyBytes: limits.bodyBytes,
    }))
  if (mintDouble !== undefined && mintPart === undefined && backendPart !== undefined)
    await settleShape(mintDouble, backendPart)

  const callingTokens = callingTokensOf({
    mint: mintPart,
    newUser,
    backend: mintDouble === undefined || mintDouble.issuesRealTokens ? backendPart : undefined,
  })
  const { driver: signalingPart, noOracle } = await openSignalingDriver(configuration.signaling, {
    tokens: callingTokens ?? null,
    journal,
    redactor,
    clock,
    runStart,
    limits,
    ...(ca === undefined ? {} : { ca }),
  })

  const { tapRecords } = configuration
  const taps = tapRecords && createTaps(tapRecords, journal, redactor)
  const source =
    browsers ?? createBrowserSource(client?.browser === undefined ? {} : { path: client.browser })
  const evidence = evidenceFolder === undefined ? null : await createEvidence(evidenceFolder, redactor)
  const clientPartFor = (checkId: string, holdsSoFar: () => boolean) =>
    createClientPart({
      configuration,
      testKey: testKey ?? null,
      ca,
      browsers: source,
      environment,
      holdsSoFar,
      follow: async (context) => (await evidence?.follow(checkId, context)) ?? (() => Promise.resolve()),
      ...(observer === undefined ? {} : { observer }),
      journal,
      redactor,
      clock,
      runStart,
    })
  const spoken = spokenProfile(configuration)

  const jwksSource = token.jwks
  const given = givenCredentials(configuration)
  const needed = (checkId: string, judge: Judge): Partial<Needed> => {
    const clientPart = clientPartFor(checkId, judge.holdsSoFar)
    return {
      ...(mintPart && { mint: mintPart }),
      expiry: createExpiry({
        mint: mintPart ?? null,
        clock,
        limits,
        wait,
        onWaiting: (seconds) => onWaiting(checkId, seconds),
      }),
      ...given,
      ...(backendPart && { backend: backendPart }),
      ...(mintDouble && { mintDouble }),
      ...(signalingPart && { signaling: signalingPart }),
      ...(callingTokens && { callingTokens }),
      ...(jwksSource && { jwks: () => loadJwks(jwksSource, http) }),
      ...(testKey && { testKey }),
      ...(taps && { taps }),
      ...(clientPart && { client: clientPart }),
      ...(spoken && {
        signalingDouble: speechOf(spoken, { seesStatus: clientPart?.kind !== 'page' }).refusals,
      }),
    }
  }

  return {
    configuration,
    clock,
    journal,
    redactor,
    http,
    mintBudget,
    retrials: createRetrialQueue(),
    settleEvidence: async (checkId, isWanted) => (await evidence?.settle(checkId, isWanted)) ?? [],
    partsFor(check, judge) {
      const all = needed(check.id, judge)
      const missing = firstMissing(
        check.needs.filter((need) => all[need] === undefined),
        configuration,
        noOracle,
      )
      if (missing !== null) return { missing }
      const common: Common = {
        configuration,
        http,
        clock,
        redactor,
        newUser,
        random,
        available: (need) => all[need],
        optional(need) {
          const part = all[need]
          if (part !== undefined) return part
          const { verdict, reason } = missingPart(need, configuration)
          if (verdict === 'untested') judge.untested(reason)
          else judge.notApplicable(reason)
          return undefined
        },
      }
      return { ...all, ...common }
    },
    async [Symbol.asyncDispose]() {
      await evidence?.[Symbol.asyncDispose]()
      if (browsers === undefined) await source[Symbol.asyncDispose]()
      await mintDouble?.[Symbol.asyncDispose]()
      await http[Symbol.asyncDispose]()
      await forwarding[Symbol.asyncDispose]()
    },
  }
}
