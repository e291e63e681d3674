import type { Exchange } from '../base/evidence/exchange.ts'
import type { Redactor, Registered } from '../base/evidence/redact.ts'
import { openNetwork } from '../base/http/network.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { createJudge } from '../requirement/judge.ts'
import { openSession, type SessionOptions } from '../requirement/session.ts'
import { paced } from '../roles/signaling/connector.ts'
import { createProfileConnector } from '../roles/signaling/profile-connector.ts'
import type { SignalingProfile } from '../roles/signaling/types.ts'
import { type Bounds, createBudget, GivenUp, usualBounds } from './budget.ts'
import type { Draft } from './draft.ts'
import { measureLeeway } from './measure-leeway.ts'
import { detectMint, type FoundMint } from './mint.ts'
import { createProber } from './prober.ts'
import { detectSignaling, type FoundSignaling } from './signaling.ts'
import { createTokenPool, type TokenPool } from './token-pool.ts'

/** A part as it was found, or the reason why it was not: a clause. */
export type Found<Part> = { readonly found: Part } | { readonly missing: string }

export interface Detection {
  readonly mint: Found<FoundMint>
  readonly signaling: Found<FoundSignaling>
  /** Seconds after its end for which a token is still accepted; null where it was not measured. */
  readonly leewaySeconds: number | null
  readonly attempts: number
  readonly mints: number
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly Registered[]
}

export interface DetectOptions extends Pick<SessionOptions, 'clock' | 'doubleCertificate'> {
  readonly parts?: readonly ('mint' | 'signaling')[]
  readonly hints?: readonly Draft[]
  readonly bounds?: Partial<Bounds>
  readonly wait?: boolean
  readonly onProgress?: (what: string) => void
  readonly signal?: AbortSignal
}

/**
 * Finds out how an implementation does what the specification leaves open. The API key goes to the mint and nowhere
 * else; signaling gets tokens for made-up users, and garbage. A mint that refuses the first made-up user is asked for
 * UUIDs, unless the configuration says whom it knows.
 * @throws TwotokenError where the configuration's own parts cannot be opened
 */
export async function detect(configuration: Configuration, options: DetectOptions = {}): Promise<Detection> {
  const { mint } = configuration
  const detection = await detectOnce(configuration, options)
  if (mint === undefined || mint.userIds !== undefined || !isUserRefused(detection)) return detection
  const withUuids = { ...configuration, mint: { ...mint, userIds: { pattern: 'uuid' as const } } }
  const again = await detectOnce(withUuids, options)
  if ('missing' in again.mint) return detection
  return { ...again, mint: { found: { ...again.mint.found, takesUuidsOnly: true } } }
}

/** The mint has answered the first ordinary request as a bad one: it may not know the user. */
function isUserRefused({ mint, mints }: Detection): boolean {
  return 'missing' in mint && mints <= 1 && /returned (?:400|404|409|422) /.test(mint.missing)
}

function originsOf({ client, signaling }: Configuration): string[] {
  const addresses = [client?.url, signaling?.url.replace(/^ws/, 'http')]
  return [...new Set(addresses.flatMap((url) => (url === undefined ? [] : new URL(url).origin)))]
}

async function detectOnce(
  configuration: Configuration,
  {
    parts = ['mint', 'signaling'],
    hints = [],
    bounds = {},
    wait = false,
    onProgress = () => {},
    signal,
    ...options
  }: DetectOptions,
): Promise<Detection> {
  await using session = await openSession(configuration, options)
  const { clock, journal, redactor, http, pacers } = session
  const budget = createBudget({ ...usualBounds, ...bounds }, clock, signal)
  const common = session.contextFor({ id: 'detect', needs: [] }, createJudge('INFO'))
  const available = 'missing' in common ? () => undefined : common.available
  const newUser = 'missing' in common ? () => 'nobody' : common.newUser
  const mint = available('mint')
  const tokens = available('callingTokens')
  const backend = available('backend')
  const bob = available('bob')
  const { signaling, limits } = configuration

  const findMint = async () => {
    if (mint === undefined) throw new GivenUp('needs mint.url and mint.apiKey')
    onProgress('how the mint answers')
    return await detectMint({ mint, http, budget, newUser })
  }
  let turn = 0
  const tokenPool: TokenPool | undefined =
    tokens &&
    createTokenPool({
      async mintFor() {
        turn += 1
        if (mint !== undefined || backend === undefined || bob === undefined || turn % 2 === 1)
          return await tokens.fresh()
        return await backend.token(bob)
      },
      newUser,
      redactor,
      budget,
    })
  const network = await openNetwork(configuration)
  const shared = {
    journal,
    redactor,
    clock,
    runStart: clock.monotonic(),
    frameBytes: limits.bodyBytes,
    network,
  }
  const connectorFor = (profile: SignalingProfile) =>
    paced(createProfileConnector({ ...shared, url: signaling?.url ?? '', profile }), pacers.of('signaling'))
  const findSignaling = async () => {
    if (signaling === undefined) throw new GivenUp('needs signaling.url')
    if (tokenPool === undefined) throw new GivenUp('needs a source of calling tokens: mint, or backend')
    const prober = createProber({ ...shared, budget, pacer: pacers.of('signaling') })
    return await detectSignaling({
      url: signaling.url,
      origins: originsOf(configuration),
      prober,
      tokenPool,
      hints,
      connectorFor,
      onProgress,
    })
  }

  const findPart = async <Part>(part: 'mint' | 'signaling', look: () => Promise<Part>) =>
    parts.includes(part) ? await foundOrReason(look, redactor) : { missing: 'not requested' }
  const mintFound = await findPart('mint', findMint)
  const signalingFound = await findPart('signaling', findSignaling)
  const leewaySeconds =
    wait && 'found' in signalingFound && mint !== undefined
      ? await measureLeeway({
          mint: { ...mint, minTtlSeconds: floorOf(mintFound) ?? mint.minTtlSeconds },
          connector: connectorFor(signalingFound.found.profile),
          clock,
          limits,
          newUser,
          onProgress,
        })
      : null
  return {
    mint: mintFound,
    signaling: signalingFound,
    leewaySeconds,
    attempts: budget.attempts,
    mints: budget.mints,
    exchanges: journal.drain(),
    secrets: redactor.drain(),
  }
}

async function foundOrReason<Part>(look: () => Promise<Part>, redactor: Redactor): Promise<Found<Part>> {
  try {
    return { found: await look() }
  } catch (error) {
    return { missing: redactor.printed(reasonOf(error)) }
  }
}

function floorOf(mint: Found<FoundMint>): number | null {
  return 'found' in mint ? mint.found.floorSeconds : null
}

function reasonOf(error: unknown): string {
  if (error instanceof GivenUp) return error.message
  if (error instanceof Error && ['ControlLost', 'Untested'].includes(error.name)) return error.message
  throw error
}
