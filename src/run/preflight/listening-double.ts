import { TwotokenError } from '../../base/errors.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import type { Answer } from '../../base/http/client.ts'
import { bearerOf } from '../../base/http/headers.ts'
import { preflightLifetimeSeconds } from '../../base/times.ts'
import { createServerCertificate, type TestableCertificate } from '../../base/tls/certificates.ts'
import { mintContract } from '../../contract/mint.ts'
import type { FakeMintConfiguration } from '../../roles/mint/configuration.ts'
import { type DoubleCall, type ScriptedMint, startMintDouble } from '../../roles/mint/double.ts'
import { createMint } from '../../roles/mint/driver.ts'
import { chooseIssuer } from '../../roles/mint/issuer.ts'
import { anyUserId } from '../../roles/mint/user-ids.ts'
import type { Asked } from './ask-sessions.ts'
import type { Probing } from './probe.ts'
import type { Problem } from './problem.ts'

/**
 * Runs the mint double where the backend was pointed at it, while `use` asks the backend; or says why it cannot listen there.
 * @param certificate that of the double in this run; an untrusted one where absent
 * @param forwards true where the real mint issues the tokens that the double hands out
 */
export async function withListeningDouble<T>(
  fakeMint: FakeMintConfiguration,
  { configuration: { mint, token, limits }, http, clock }: Probing,
  { certificate, forwards }: { certificate: TestableCertificate | undefined; forwards: boolean },
  use: (double: ScriptedMint) => Promise<T>,
): Promise<T | Problem> {
  const secrets = createSecrets()
  const newUser = () => anyUserId(mint?.userIds, 'tt-preflight')
  const real = mint && forwards ? createMint({ mint, token, http, secrets, clock, newUser }) : undefined
  // An untrusted one still shows that the backend connects.
  const proof = fakeMint.tls
    ? (certificate ?? createServerCertificate({ names: [fakeMint.host] }))
    : undefined
  const double = await startMintDouble({
    fakeMint,
    issuer: await chooseIssuer(real, clock),
    journal: createJournal(),
    secrets,
    clock,
    bodyBytes: limits.bodyBytes,
    certificate: proof,
  }).catch((error: unknown): Problem => {
    if (!(error instanceof TwotokenError)) throw error
    return { part: 'backend', kind: 'port', message: error.message, fatal: true }
  })
  if ('kind' in double) return double
  await using listening = double
  return await listening.scripted(async (scripted) => {
    scripted.lifetime(preflightLifetimeSeconds)
    return await use(scripted)
  })
}

const { path: mintPath } = mintContract

/** Checks that the backend asks the mint double with the key of the file; the requirements judge any misuse. */
export function findDoubleProblems(
  asked: readonly Asked<Answer>[],
  fakeMint: FakeMintConfiguration | undefined,
  { isTrusted, mintKey }: { readonly isTrusted: boolean; readonly mintKey: string | undefined },
): Problem[] {
  if (fakeMint === undefined || asked.length === 0) return []
  const { host, port, tls, apiKey } = fakeMint
  const address = `${host}:${port}`
  const problem = (message: string): Problem[] => [{ part: 'backend', kind: 'key', message, fatal: true }]
  const calls = asked.flatMap((one) => one.calls)
  const [first] = calls
  if (first === undefined) {
    if (!asked.some(({ hasConnected }) => hasConnected))
      return problem(
        `no mint call reached ${address} (backend.fakeMint.listen): point the backend at ${tls ? 'https' : 'http'}://${address}, and restart it${explainAnswers(asked)}`,
      )
    // Without the certificate of the run nothing can be said of the trust in it.
    if (tls && !isTrusted) return []
    return problem(
      tls
        ? `the backend connected to ${address}, but made no call over TLS: give it https://${address} and have it trust mint-double-ca.pem (the run prints its path), or set backend.fakeMint.tls to false`
        : `the backend connected to ${address}, but sent no HTTP: give it http://${address}, or set backend.fakeMint.tls to true`,
    )
  }
  if (calls.every(({ target }) => target.split('?')[0] === mintPath + mintPath))
    return problem(
      `the mint calls arrived at ${mintPath + mintPath}: point the backend at ${tls ? 'https' : 'http'}://${address} (backend.fakeMint.listen) without a path, since it appends ${mintPath} itself`,
    )
  return isOtherKey(first, asked, apiKey) ? problem(describeKey(first, mintKey)) : []
}

/** A gateway answers so for a backend that it does not reach, and a backend for a mint that it does not reach. */
const gatewayStatuses: readonly number[] = [502, 503, 504]

/** The sentence names the answers without a mint call, and the usual causes in order. */
function explainAnswers(asked: readonly Asked<Answer>[]): string {
  const statuses = [...new Set(asked.map(({ reply }) => reply.status))]
  const ofGateway = statuses.find((one) => gatewayStatuses.includes(one))
  return ofGateway === undefined
    ? `; the backend returned ${statuses.join(' and ')} without calling the mint: check which variable it reads, whether its build fixes another address, and its log`
    : `; it returned ${ofGateway}: if a gateway sent that, check the backend behind it`
}

/** Notes mint calls for users other than those of the sessions: a health probe, or another process. They judge nothing. */
export function findForeignCalls(
  asked: readonly Asked<Answer>[],
  fakeMint: FakeMintConfiguration | undefined,
): Problem[] {
  // Users for whom the double was asked beside the one whose session it was.
  const [stray] = asked.flatMap(({ session, calls }) => {
    const users = calls.flatMap(({ userId }) => userId ?? [])
    return users.includes(session.userId) ? users.filter((user) => user !== session.userId) : []
  })
  if (stray === undefined || fakeMint === undefined) return []
  const message = `the mint double received a call for ${stray} that no request of the suite caused, and ignored it; if another process uses the double, change backend.fakeMint.listen`
  return [{ part: 'backend', kind: 'key', message, fatal: false }]
}

/** A key came as it should, and is another one: neither the right one in another form or place, nor the session. */
function isOtherKey(call: DoubleCall, asked: readonly Asked<Answer>[], apiKey: string): boolean {
  const bearer = bearerOf(call.headers)?.trim() ?? null
  if (bearer === null || !call.target.startsWith(mintPath)) return false
  const everything = [call.target, call.body, ...call.headers.map(([, value]) => value)]
  if (everything.some((text) => text.toLowerCase().includes(apiKey.toLowerCase()))) return false
  return !asked.some(({ session }) => bearer.includes(session.token))
}

function describeKey(call: DoubleCall, mintKey: string | undefined): string {
  const bearer = bearerOf(call.headers)?.trim() ?? null
  if (bearer !== null && bearer === mintKey)
    return 'the mint double received mint.apiKey instead of backend.fakeMint.apiKey: write the same key in both'
  if (bearer !== null && /^(?:undefined|null|none|)$/i.test(bearer))
    return `the mint double received "${bearer}" instead of backend.fakeMint.apiKey: set the API key where the backend reads it`
  return 'the mint double received a key other than backend.fakeMint.apiKey: use one key there and in the backend'
}
