import { systemClock } from '../../base/clock.ts'
import { TwotokenError } from '../../base/errors.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { withholdEnvironment } from '../../base/given-environment.ts'
import { onOneLine } from '../../base/printable.ts'
import type { TestableCertificate } from '../../base/tls/certificates.ts'
import { type TellWait, tellingIn } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import type { Role } from '../../requirement/define.ts'
import { askedUsers } from './ask-sessions.ts'
import { inspectBackend } from './backend.ts'
import { findClientProblems } from './client.ts'
import { findCredentialProblems } from './credentials.ts'
import { findEnvironmentProblems, findLogProblems } from './environment.ts'
import { inspectMint } from './mint.ts'
import { openProbing } from './probe.ts'
import type { Problem } from './problem.ts'
import { findSignalingProblems } from './signaling.ts'
import { findTokenProblems } from './token.ts'

export interface PreflightOptions {
  readonly parts: readonly Role[]
  readonly doubleCertificate?: TestableCertificate | undefined
  /** `false` where calling tokens are counted: the mint double then signs by itself. */
  readonly mayMint?: boolean
  readonly tellWait?: TellWait | undefined
  /** Hides secrets in a message; without it, as labels. */
  readonly hide?: ((message: string) => string) | undefined
}

/**
 * Finds problems of the file and the network before anything is judged; faults of an implementation are none of them.
 * @throws TwotokenError `configuration` where `tls.ca` or `tls.client` cannot be read
 */
export async function preflight(
  configuration: Configuration,
  { parts: judged, doubleCertificate, mayMint = true, tellWait = () => undefined, hide }: PreflightOptions,
): Promise<Problem[]> {
  const { mint, backend, signaling, client, token } = configuration
  // A driver and an adapter run in this process.
  using _withheld = withholdEnvironment(configuration)
  const parts = [...new Set(judged.flatMap((role) => partsBehind(role, configuration)))]
  const odd = findCredentialProblems(configuration, parts, systemClock.wall())
  const isUsable = (part: 'mint' | 'backend' | 'signaling') =>
    parts.includes(part) && !odd.some((problem) => problem.part === part)
  const secrets = createSecrets()
  registerSecrets(configuration, secrets)
  await using probing = await openProbing(configuration, tellWait)
  const askMint = mint !== undefined && isUsable('mint') ? inspectMint(mint, probing) : null
  // The results of the mint are the basis of comparison for the other parts.
  const askOthers = async () => {
    const { issued = null, userPaths = [], problems: ofMint = [] } = (await askMint) ?? {}
    const asked =
      backend !== undefined && isUsable('backend')
        ? await inspectBackend(backend, probing, {
            doubleCertificate,
            mayMint: mayMint && issued !== null,
            mintServes: !ofMint.some(({ kind }) => kind === 'unserved'),
            userPaths,
          })
        : null
    const ofIssuer = issued === null ? (asked?.problems ?? []) : ofMint
    // Signaling refuses a token whose issuer has a wrong clock, say: that is told once.
    const ordinary = ofIssuer.some(({ fatal }) => fatal) ? null : (issued ?? asked?.issued ?? null)
    const connected =
      signaling !== undefined && isUsable('signaling')
        ? await findSignalingProblems(signaling, probing, { token: ordinary, mayMint })
        : []
    const ofToken = parts.includes('signaling')
      ? await findTokenProblems(token, probing.http, ordinary?.jwt ?? null)
      : []
    return [...ofMint, ...(asked?.problems ?? []), ...connected, ...ofToken]
  }
  const found = await Promise.all([
    askOthers(),
    findEnvironmentProblems(configuration),
    client !== undefined && judged.includes('client') ? findClientProblems(client, probing) : [],
  ])
  const unreadable = judged.includes('flow') ? await findLogProblems(configuration.logs) : []
  return [...odd, ...found.flat(), ...unreadable].map((problem) => ({
    ...problem,
    message: (hide ?? secrets.sentence)(problem.message),
  }))
}

/** An ordinary request, and one without a lifetime where the first was refused. */
const mintRequests = 2

/** Calling tokens that a preflight may have issued at most, where its double signs by itself. */
export function mostPreflightMints(configuration: Configuration, judged: readonly Role[]): number {
  const { mint, backend } = configuration
  const parts = judged.flatMap((role) => partsBehind(role, configuration))
  const asked = backend?.fakeMint === undefined ? askedUsers.filter((name) => backend?.sessions[name]) : []
  return (
    (mint !== undefined && parts.includes('mint') ? mintRequests : 0) +
    (parts.includes('backend') ? asked.length : 0)
  )
}

/** The parts that the requirements on a part speak to. A client is served by doubles, a bundle is only read. */
export function partsBehind(
  role: Role,
  { mint }: Configuration,
): readonly ('mint' | 'backend' | 'signaling')[] {
  if (role === 'client' || role === 'bundle') return []
  if (role === 'mint') return ['mint']
  if (role === 'backend') return ['mint', 'backend']
  // Calling tokens come from the mint, or else through the backend.
  if (role === 'signaling') return mint === undefined ? ['backend', 'signaling'] : ['mint', 'signaling']
  return ['mint', 'backend', 'signaling']
}

interface ReachingOptions extends Omit<PreflightOptions, 'tellWait'> {
  readonly stderr: { write(text: string): unknown }
  /** Begins and ends the message on a part that cannot be used. */
  readonly refusal: { readonly what: string; readonly hint?: string }
}

/** Problems that keep nothing from being judged, but explain it. */
const noted: readonly Problem['kind'][] = ['session', 'environment']

/** Prints notes that may explain what is judged later; throws `precondition` with a sentence for each mistake. */
export async function assertReachable(
  configuration: Configuration,
  { refusal: { what, hint }, stderr, ...options }: ReachingOptions,
): Promise<void> {
  const problems = await preflight(configuration, { ...options, tellWait: tellingIn(stderr) })
  const lines = problems
    .filter(({ fatal }) => fatal)
    .map(({ part, message }) => `${part}: ${onOneLine(message)}`)
  if (lines.length > 0)
    throw new TwotokenError(
      'precondition',
      [`${what}:`, ...lines, ...(hint === undefined ? [] : [hint])].join('\n  '),
    )
  for (const { kind, message } of problems)
    if (noted.includes(kind)) stderr.write(`note: ${onOneLine(message)}\n`)
}
