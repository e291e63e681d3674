import type { TestableCertificate } from '../../base/tls/certificates.ts'
import { type CallingTokens, createCallingTokens } from '../../roles/backend/calling-tokens.ts'
import { type Backend, createBackend } from '../../roles/backend/driver.ts'
import { findBodyShape } from '../../roles/mint/body-shape.ts'
import { countOnly } from '../../roles/mint/budget.ts'
import type { MintDouble } from '../../roles/mint/double.ts'
import type { Mint } from '../../roles/mint/driver.ts'
import { openMintDouble } from '../../roles/mint/open-double.ts'
import type { Provided } from '../needs.ts'
import { createMintDriver } from './open-mint.ts'
import { renewSession } from './renew-session.ts'
import type { RunServices } from './run-services.ts'

export interface BackendRole extends AsyncDisposable {
  /** Where tokens that signaling accepts come from; undefined where neither mint nor backend issues such tokens. */
  readonly callingTokens: CallingTokens | undefined
  provide(): Provided
}

export interface BackendRoleOptions {
  readonly mint: Mint | undefined
  /** Certificate of the mint double, where it listens with TLS. */
  readonly doubleCertificate: TestableCertificate | undefined
  /** Environment of the commands that renew sessions. */
  readonly environment: NodeJS.ProcessEnv
}

/**
 * The customer's backend with its sessions, and the mint double that it is pointed at.
 * @throws TwotokenError where the double cannot listen
 */
export async function openBackendRole(
  services: RunServices,
  { mint, doubleCertificate, environment }: BackendRoleOptions,
): Promise<BackendRole> {
  const { clock, configuration, http, mintBudget, newUser, secrets } = services
  const { backend: settings } = configuration
  const { expired, signedOut } = settings?.sessions ?? {}
  const surroundings = { directory: configuration.directory, environment }
  const userOf = (name: 'alice' | 'bob' | 'aliceSecondDevice') => {
    const session = settings?.sessions[name]
    return session && renewSession(session, { name, clock, secrets, surroundings })
  }
  const [alice, bob, aliceSecondDevice] = [userOf('alice'), userOf('bob'), userOf('aliceSecondDevice')]
  const onSuccess = () => {
    if (settings?.fakeMint === undefined) mintBudget.count()
  }
  await using stack = new AsyncDisposableStack()
  const mintDouble = await openDouble(services, doubleCertificate, stack)
  const backend =
    settings &&
    alice &&
    createBackend({
      backend: settings,
      alice,
      apiKey: settings.fakeMint?.apiKey ?? configuration.mint?.apiKey,
      http,
      secrets,
      clock,
      limits: configuration.limits,
      limiter: services.paces.backend,
      mintLimiter: settings.fakeMint === undefined ? services.paces.mint : undefined,
      isForwardingLimited: () => settings.fakeMint !== undefined && services.paces.mint.met() !== null,
      onSuccess,
      isMintScripted: () => mintDouble?.isScripted() ?? false,
    })
  if (mintDouble !== undefined && mint === undefined && backend !== undefined)
    await settleBodyShape(mintDouble, backend)
  const callingTokens = createCallingTokens({
    mint,
    newUser,
    takesAnyId: configuration.mint?.userIds === undefined,
    backend: mintDouble === undefined || mintDouble.issuesRealTokens ? backend : undefined,
  })
  const provided: Provided = {
    backend,
    bob,
    aliceSecondDevice,
    expiredSession: expired?.token,
    signedOutSession: signedOut?.token,
    mintDouble,
    callingTokens,
  }
  const opened = stack.move()
  return {
    callingTokens,
    provide: () => provided,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function openDouble(
  services: RunServices,
  certificate: TestableCertificate | undefined,
  stack: AsyncDisposableStack,
): Promise<MintDouble | undefined> {
  const { clock, configuration, journal, mintBudget, secrets, runStart, testKey } = services
  const { backend, limits } = configuration
  if (backend?.fakeMint === undefined) return undefined
  // A backend under test must never wait behind the suite's own requests.
  const http = stack.use(services.createHttp('mint-double'))
  return stack.use(
    await openMintDouble(backend.fakeMint, {
      realMint: createMintDriver(services, http, countOnly(mintBudget), { isUrgent: true }),
      testKey: testKey ?? null,
      certificate,
      journal,
      secrets,
      clock,
      runStart,
      bodyBytes: limits.bodyBytes,
    }),
  )
}

/** Where no real mint shows its body shape, the first that the backend understands is kept. */
async function settleBodyShape(double: MintDouble, backend: Backend): Promise<void> {
  await double.scripted(async (scripted) => {
    scripted.lifetime(3)
    const shape = await findBodyShape(scripted, async () => {
      const reply = await backend.request({
        case: 'an ordinary request, which the mint answers in another format',
      })
      return backend.tokenOf(reply) !== null
    })
    if (shape !== null) double.setDefaultShape(shape)
  })
}
