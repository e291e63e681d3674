import { type Clock, systemClock } from '../base/clock.ts'
import { TwotokenError } from '../base/errors.ts'
import { beginningOf, createJournal, type Exchange, type Journal } from '../base/evidence/exchange.ts'
import { createSecrets, type Registered, type Secrets } from '../base/evidence/secrets.ts'
import { createHttpClient, type HttpClient } from '../base/http/client.ts'
import { createPacers } from '../base/http/limiter.ts'
import type { Network } from '../base/http/network.ts'
import { whileJudging } from '../base/judging.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import { tokensIn } from '../base/tokens/decode.ts'
import { createTokenLikeness } from '../base/tokens/token-likeness.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { registerSecrets } from '../configuration/register-secrets.ts'
import { causeOf } from '../requirement/cause.ts'
import { changeFinding } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import { composeRequest } from '../roles/backend/compose-request.ts'
import type { BackendConfiguration } from '../roles/backend/configuration.ts'
import { findBodyShape } from '../roles/mint/body-shape.ts'
import { type ScriptedMint, startMintDouble } from '../roles/mint/double.ts'
import { createMint } from '../roles/mint/driver.ts'
import { chooseIssuer } from '../roles/mint/issuer.ts'
import { type Interaction, listInteractions } from './interaction.ts'
import {
  type Attempt,
  type Attempted,
  judgeInteraction,
  notAttempted,
  retryFaults,
} from './judge-interaction.ts'
import { type Core, pactVerifier } from './pact-core.ts'
import type { PactFile } from './pact-file.ts'
import { type Provider, reach } from './provider.ts'
import {
  combineStates,
  createCommandStates,
  createConfiguredStates,
  createEndpointStates,
} from './provider-states.ts'
import { markHeader, markParameter, startRelay } from './relay.ts'

/** Longest quote in a finding from the provider's answer. */
const shownCharacters = 500

export interface VerifyTask {
  readonly role: 'mint' | 'backend'
  readonly configuration: Configuration
  /** Chooses among the pacts once the provider's body shape is known. */
  choose(provider: Provider): readonly PactFile[]
  readonly network?: Network
  readonly doubleCertificate?: TestableCertificate
  readonly stateUrl?: string | undefined
  readonly stateCommand?: { readonly command: string; readonly environment: NodeJS.ProcessEnv } | undefined
  readonly core?: Core | undefined
}

export interface Verification {
  readonly judged: readonly { readonly interaction: Interaction; readonly check: CheckResult }[]
  readonly exchanges: readonly Exchange[]
  /** For the last scan before anything is written; never written itself. */
  readonly secrets: readonly Registered[]
}

/** Verifies pacts against the provider; throws `precondition` where it is not reached, or there is nothing to verify. */
export function verifyPacts(task: VerifyTask): Promise<Verification> {
  return whileJudging({ name: `the contracts of the ${task.role}` }, () => verifyAll(task))
}

interface Verifying {
  readonly task: VerifyTask
  readonly clock: Clock
  readonly journal: Journal
  readonly secrets: Secrets
  readonly http: HttpClient
  /** A state endpoint answers with credentials that no secrets knows yet, so its answers are not recorded. */
  readonly unrecorded: HttpClient
}

async function verifyAll(task: VerifyTask): Promise<Verification> {
  const { role, configuration } = task
  const { limits } = configuration
  const clock = systemClock
  const [journal, secrets] = [createJournal(), createSecrets()]
  registerSecrets(configuration, secrets)
  const client = {
    journal,
    secrets,
    clock,
    deadlineMs: limits.requestSeconds * 1000,
    bodyBytes: limits.bodyBytes,
    pacers: createPacers(limits.pace, clock, false),
    network: task.network,
  }
  await using http = createHttpClient(client)
  await using unrecorded = createHttpClient({ ...client, journal: createJournal() })
  await using stack = new AsyncDisposableStack()
  const verifying: Verifying = { task, clock, journal, secrets, http, unrecorded }
  const fakeMint = role === 'backend' ? configuration.backend?.fakeMint : undefined
  if (fakeMint === undefined) return await verify(verifying, undefined)
  const { mint, token } = configuration
  const real = mint && createMint({ mint, token, http, secrets, clock, newUser: () => 'user-1' })
  const issuer = await chooseIssuer(real, clock)
  const { bodyBytes } = limits
  const certificate = task.doubleCertificate
  const double = stack.use(
    await startMintDouble({ fakeMint, issuer, journal, secrets, clock, bodyBytes, certificate }),
  )
  return await double.scripted((scripted) => verify(verifying, scripted))
}

async function verify(verifying: Verifying, scripted: ScriptedMint | undefined): Promise<Verification> {
  const { task, clock, journal, secrets, http } = verifying
  const { role, configuration } = task
  const { mint, backend } = configuration
  const provider = await reach(role, configuration, http)
  if (scripted !== undefined && mint === undefined && backend !== undefined)
    await settleBodyShape(scripted, backend, http)
  const pacts = task.choose(provider)
  const interactions = listInteractions(pacts)
  if (interactions.length === 0)
    throw new TwotokenError(
      'precondition',
      `nothing was verified: ${pacts.map(({ source }) => source).join(', ')} contains no interaction`,
    )
  const startedAt = clock.monotonic()
  const applies = interactions.filter((interaction) => provider.doesNotApply(interaction) === null)
  const attempts: ReadonlyMap<Interaction, Attempted> =
    applies.length === 0
      ? new Map()
      : await retryFaults(applies, (wanted) => attempt(verifying, scripted, provider, wanted))
  const likeness = createTokenLikeness()
  for (const { seen } of attempts.values())
    for (const reply of seen.replies)
      if (reply.kind === 'answer' && reply.status < 300)
        for (const token of tokensIn(reply.body)) likeness.learn(token)
  const durationMs = (clock.monotonic() - startedAt) / interactions.length
  const fakeKey = role === 'backend' ? backend?.fakeMint?.apiKey : undefined
  const { trialEnded, suspended, capped } = mint?.keys ?? {}
  const keys = [mint?.apiKey, trialEnded?.key, suspended?.key, capped?.key, fakeKey]
  const judged = interactions.map((interaction) => {
    const reason = provider.doesNotApply(interaction)
    const judgement = judgeInteraction({
      interaction,
      role,
      ...(attempts.get(interaction) ?? notAttempted),
      keys: keys.filter((key) => key !== undefined),
      isAlike: likeness.isAlike,
      durationMs,
    })
    const { defect: _, remarks: __, ...left } = judgement
    const skipped = { ...left, verdict: provider.skippedAs, reason, findings: [] }
    const judged = { ...judgement, cause: causeOf(judgement, journal) }
    return { interaction, check: reason === null ? shorten(judged) : skipped }
  })
  judged.sort((left, right) => left.check.id.localeCompare(right.check.id))
  return { judged, exchanges: journal.drain(), secrets: secrets.drain() }
}

/** Has the Pact core verify interactions through a relay, which sees the replies. */
async function attempt(
  { task, http, secrets, unrecorded }: Verifying,
  scripted: ScriptedMint | undefined,
  provider: Provider,
  wanted: readonly Interaction[],
): Promise<Attempt> {
  const { role, configuration, stateUrl, stateCommand, core = pactVerifier } = task
  const own =
    stateUrl !== undefined
      ? createEndpointStates(stateUrl, unrecorded)
      : stateCommand !== undefined
        ? createCommandStates(stateCommand.command, { ...stateCommand, directory: configuration.directory })
        : undefined
  const requestMs = configuration.limits.requestSeconds * 1000 + 2000
  await using relay = await startRelay({
    to: role,
    http,
    handleState: async (state, action) => {
      const outcome = await combineStates(own, createConfiguredStates(configuration, scripted))(state, action)
      for (const [name, value] of Object.entries(outcome.kind === 'ready' ? outcome.values : {}))
        if (typeof value === 'string') secrets.register(/key/i.test(name) ? 'api-key' : 'session', value)
      return outcome
    },
    interactions: wanted,
    provider,
  })
  const results = await core({
    pacts: markPacts(wanted),
    provider: wanted[0]?.pact.provider ?? role,
    port: relay.port,
    stateUrl: relay.stateUrl,
    requestMs,
    totalMs: 30_000 + 2 * requestMs * wanted.length,
  })
  return new Map(
    wanted.map((interaction) => [
      interaction,
      {
        seen: relay.seen(interaction),
        result: results.find(({ description }) => description === markedDescription(interaction)),
      },
    ]),
  )
}

/** Without a real mint the body shape that the backend understands is unknown: the first that yields a token is used. */
async function settleBodyShape(
  double: ScriptedMint,
  backend: BackendConfiguration,
  http: HttpClient,
): Promise<void> {
  const authorization = `Bearer ${backend.sessions.alice?.token ?? ''}`
  const request = composeRequest(backend, { authorization })
  await findBodyShape(double, async () => {
    const reply = await http.send({ to: 'backend', ...request, followRedirects: true })
    return reply.kind === 'answer' && reply.status < 300 && tokensIn(reply.body).length > 0
  })
}

function markedDescription({ number, source }: Interaction): string {
  return `#${number} ${source.description}`
}

/** The pacts as the core gets them: every interaction and each of its states is marked, and none is pending. */
function markPacts(interactions: readonly Interaction[]): Record<string, unknown>[] {
  const pacts = new Map(
    interactions.map(({ pact }) => [pact, interactions.filter((other) => other.pact === pact)]),
  )
  return [...pacts].map(([{ content }, own]) => ({ ...content, interactions: own.map(markInteraction) }))
}

function markInteraction(interaction: Interaction): Record<string, unknown> {
  const { number, source, states } = interaction
  const { providerState: _, ...rest } = source
  const headers = source.request?.['headers']
  return {
    ...rest,
    description: markedDescription(interaction),
    pending: false,
    providerStates: states.map(({ name, params }) => ({
      name,
      params: { ...params, [markParameter]: number },
    })),
    request: { ...source.request, headers: { ...(headers ?? {}), [markHeader]: String(number) } },
  }
}

function shorten(result: CheckResult): CheckResult {
  const shown = (text: string) => beginningOf(text, shownCharacters)
  return {
    ...result,
    reason: result.reason === null ? null : shown(result.reason),
    remarks: result.remarks?.map(shown),
    findings: result.findings.map((finding) => changeFinding(finding, shown)),
  }
}
