import { startAppAlone } from '../../../fixtures/app/alone.ts'
import { createStackSecrets, type StackSecrets } from '../../../fixtures/images/secrets.ts'
import { createSecrets, type Secrets } from '../../base/evidence/secrets.ts'
import { identifyProcess } from '../../base/process-identity.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { readTrustedAuthorities } from '../../base/tls/trusted-authorities.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { serveHops } from '../../roles/flow/recorded-hops.ts'
import { createDisposableGroup, rejectOnAbort, runAll } from './concurrency.ts'
import { describeContainer } from './container-settings.ts'
import { describeStack } from './describe-stack.ts'
import { type StartedContainer, startContainer } from './engine/container.ts'
import { warnOfPublishing } from './engine/container-limits.ts'
import { connectEngine } from './engine/engine.ts'
import { type OwnNetwork, startNetwork } from './engine/network.ts'
import { removeOrphans } from './engine/orphans.ts'
import { readContainers } from './engine/watched-container.ts'
import { type ContainerOptions, chooseParts } from './images.ts'
import { routeToMint } from './mint-routes.ts'
import type { ProvisionedStack } from './provisioned-stack.ts'
import { createOutputQuote } from './quote-output.ts'
import { waitUntilReady } from './wait-until-ready.ts'

/**
 * Starts in containers the parts for which the configuration names an image, and the reference in place of those that it
 * does not describe at all. Each part has a network of its own, so that requests between them go through the suite.
 * @throws TwotokenError `precondition`
 */
export async function startContainers(
  base: Configuration,
  options: ContainerOptions,
): Promise<ProvisionedStack> {
  const { signal, onProgress } = options
  await using stack = new AsyncDisposableStack()
  const engine = await connectEngine()
  const warning = warnOfPublishing(engine)
  if (warning !== null) onProgress(warning)
  const swept = await removeOrphans(engine)
  if (swept > 0) onProgress(`removed ${swept} containers, networks and volumes of a run that was killed`)
  const { path: folder } = stack.use(await openTempFolder())
  const made = await createStackSecrets(['localhost', '127.0.0.1', 'signaling', engine.host])
  const secrets = registerStack(made, base)
  const chosen = await rejectOnAbort(chooseParts(engine, base, options), signal)
  const owner = await identifyProcess()

  const ownNetworks = stack.use(createDisposableGroup<OwnNetwork>())
  const networks = new Map(
    await runAll(
      chosen,
      async ({ part }) => [part, ownNetworks.use(await startNetwork(engine, owner, part))] as const,
    ),
  )
  const routes = await routeToMint(base, networks, stack)
  const ownContainers = stack.use(createDisposableGroup<StartedContainer>())
  const started = await runAll(chosen, async (one) => {
    const { settings, files } = describeContainer(one, made, base, routes)
    const network = networks.get(one.part) as OwnNetwork
    return ownContainers.use(await startContainer(engine, settings, files, { owner, network }))
  })
  const addresses = new Map(started.map(({ part, address }) => [part, address]))
  const described = await describeStack(base, chosen, addresses, made, routes, folder)
  const ca = await readTrustedAuthorities(described.tls.ca)
  for (const proxy of routes.proxies) proxy.forwardTo(described.mint?.url ?? '', ca)
  await waitUntilAllReady(started, described, options, secrets)
  const records = stack.use(await serveHops(routes.proxies))
  // A page of the reference is the client where its parts were built and the file describes no other.
  const isReference = chosen.some((one) => one.isReference) && base.client === undefined
  const page = isReference ? await startReferencePage(folder, described.signaling?.url ?? '', stack) : {}
  const stop = stack.move()
  return {
    configuration: { ...described, ...page, hopRecords: records.url },
    ...readContainers(started),
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  }
}

function registerStack({ keys, sessions, consoleToken }: StackSecrets, base: Configuration): Secrets {
  const secrets = createSecrets()
  registerSecrets(base, secrets)
  for (const key of Object.values(keys)) secrets.register('api-key', key)
  for (const session of Object.values(sessions)) secrets.register('session', session)
  secrets.register('secret', consoleToken)
  return secrets
}

/** Waits for all at once; the first failure ends the others, and is theirs too. */
async function waitUntilAllReady(
  started: readonly StartedContainer[],
  described: Configuration,
  { readyTimeoutSeconds, signal }: ContainerOptions,
  secrets: Secrets,
): Promise<void> {
  const failed = new AbortController()
  await runAll(started, (container) =>
    waitUntilReady(container, {
      url: described[container.part]?.url ?? '',
      timeoutSeconds: readyTimeoutSeconds,
      quote: createOutputQuote(described, secrets, container.image),
      signal: AbortSignal.any([signal, failed.signal]),
    }).catch((error: unknown) => {
      failed.abort(error)
      throw failed.signal.reason
    }),
  )
}

/** Starts the page of the reference. A browser on this machine opens it, so it runs in no container. */
async function startReferencePage(
  folder: string,
  signalingUrl: string,
  stack: AsyncDisposableStack,
): Promise<Pick<Configuration, 'client'>> {
  const { client: written } = stack.use(await startAppAlone(signalingUrl))
  const { client } = await resolveConfiguration({ client: written }, { directory: folder, environment: {} })
  return client === undefined ? {} : { client }
}
