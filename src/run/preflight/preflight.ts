import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createHttpClient } from '../../base/http/client.ts'
import { openNetwork } from '../../base/http/network.ts'
import { createPacers } from '../../base/pacing.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import type { Role } from '../../requirement/define.ts'
import { findBackendProblems } from './backend.ts'
import { findClientProblems } from './client.ts'
import { findCredentialProblems } from './credentials.ts'
import { findMintProblems } from './mint.ts'
import type { Problem } from './problem.ts'
import { findSignalingProblems } from './signaling.ts'
import { findTokenProblems } from './token.ts'

/**
 * Finds problems of the configuration and the network before anything is judged. What an implementation does wrong,
 * once it is reached, is none of them. A part that is not configured has no problem.
 * @throws TwotokenError `configuration` where `tls.ca` or `tls.client` cannot be read
 */
export async function preflight(
  configuration: Configuration,
  { parts: judged, clock = systemClock }: { readonly parts: readonly Role[]; readonly clock?: Clock },
): Promise<Problem[]> {
  const { mint, backend, signaling, client, token, limits } = configuration
  const parts = [...new Set(judged.flatMap((role) => partsBehind(role, configuration)))]
  const blank = findCredentialProblems(configuration, parts)
  const isUsable = (part: 'mint' | 'backend') =>
    parts.includes(part) && !blank.some((problem) => problem.part === part)
  const redactor = createRedactor()
  registerSecrets(configuration, redactor)
  const network = await openNetwork(configuration)
  await using http = createHttpClient({
    journal: createJournal(),
    redactor,
    clock,
    network,
    deadlineMs: limits.requestSeconds * 1000,
    bodyBytes: limits.bodyBytes,
    pacers: createPacers(limits.pace, clock, true),
  })
  const probing = { configuration, http, clock, network }
  const found = await Promise.all([
    mint !== undefined && isUsable('mint') ? findMintProblems(mint, probing) : [],
    backend !== undefined && isUsable('backend') ? findBackendProblems(backend, probing) : [],
    signaling !== undefined && parts.includes('signaling')
      ? findSignalingProblems(signaling, { limits, network })
      : [],
    parts.includes('signaling') ? findTokenProblems(token, http) : [],
    client !== undefined && judged.includes('client') ? findClientProblems(client, { http }) : [],
  ])
  return [...blank, ...found.flat()].map((problem) => ({
    ...problem,
    message: redactor.received(problem.message),
  }))
}

/** The parts that the requirements on a part speak to. A client is served by doubles, a bundle is only read. */
function partsBehind(role: Role, { mint }: Configuration): readonly ('mint' | 'backend' | 'signaling')[] {
  if (role === 'client' || role === 'bundle') return []
  if (role === 'mint') return ['mint']
  if (role === 'backend') return ['mint', 'backend']
  // Calling tokens come from the mint, or else through the backend.
  if (role === 'signaling') return mint === undefined ? ['backend', 'signaling'] : ['mint', 'signaling']
  return ['mint', 'backend', 'signaling']
}
