import type { TestableCertificate } from '../../base/tls/certificates.ts'
import { createCallingTokens } from '../../roles/backend/calling-tokens.ts'
import { type Backend, createBackend } from '../../roles/backend/driver.ts'
import { findBodyShape } from '../../roles/mint/body-shape.ts'
import { countOnly } from '../../roles/mint/budget.ts'
import { type MintDouble, startMintDouble } from '../../roles/mint/double.ts'
import type { Mint } from '../../roles/mint/driver.ts'
import { chooseIssuer } from '../../roles/mint/issuer.ts'
import type { Provided } from '../needs.ts'
import { createMintDriver } from './open-mint.ts'
import { renewSession } from './renew-session.ts'
import type { RunServices } from './run-services.ts'

export interface BackendRoleOptions {
  readonly mint: Mint | undefined
  /** Certificate of the mint double, where it listens with TLS. */
  readonly doubleCertificate: TestableCertificate | undefined
  /** Environment of the commands that renew sessions. */
  readonly environment: NodeJS.ProcessEnv
}

/** The customer's backend, and the double that it is pointed at. Throws TwotokenError where the double cannot listen. */
export async function openBackendRole(
  services: RunServices,
  { mint, doubleCertificate, environment }: BackendRoleOptions,
  stack: AsyncDisposableStack,
) {
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
  return {
    backend,
    bob,
    aliceSecondDevice,
    expiredSession: expired?.token,
    signedOutSession: signedOut?.token,
    mintDouble,
    callingTokens: createCallingTokens({
      mint,
      newUser,
      takesAnyId: configuration.mint?.userIds === undefined,
      backend: mintDouble === undefined || mintDouble.issuesRealTokens ? backend : undefined,
    }),
  } satisfies Provided
}

async function openDouble(
  services: RunServices,
  certificate: TestableCertificate | undefined,
  stack: AsyncDisposableStack,
): Promise<MintDouble | undefined> {
  const { clock, configuration, journal, mintBudget, secrets, testKey } = services
  const { backend, limits } = configuration
  if (backend?.fakeMint === undefined) return undefined
  // A backend under test must never wait behind the suite's own requests.
  const http = stack.use(services.createHttp('mint-double'))
  const mint = createMintDriver(services, http, countOnly(mintBudget), true)
  const issuer = await chooseIssuer(mint, clock, testKey)
  const { fakeMint } = backend
  const { bodyBytes } = limits
  return stack.use(
    await startMintDouble({ fakeMint, issuer, certificate, journal, secrets, clock, bodyBytes }),
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
