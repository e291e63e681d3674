import { join } from 'node:path'
import { startAppAlone } from '../../../fixtures/app/alone.ts'
import { createStackSecrets, type StackSecrets } from '../../../fixtures/images/secrets.ts'
import { disarmLabels } from '../../base/evidence/mask/labels.ts'
import { createRedactor, type Redactor } from '../../base/evidence/redact.ts'
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
import { watchEvents } from './engine/events.ts'
import { type OwnNetwork, startNetwork } from './engine/network.ts'
import { removeOrphans } from './engine/orphans.ts'
import { type ChosenPart, type ContainerOptions, chooseParts } from './images.ts'
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
  const { path: folder } = stack.adopt(await openTempFolder(), (opened) =>
    // An interrupted build may still write there; the next run removes the rest.
    opened[Symbol.asyncDispose]().catch(() => undefined),
  )
  const secrets = await createStackSecrets(['localhost', '127.0.0.1', 'signaling', engine.host])
  const redactor = createStackRedactor(secrets, base)
  const chosen = await rejectOnAbort(chooseParts(engine, base, options, folder), signal)
  const owner = await identifyProcess()

  const ownNetworks = stack.use(createDisposableGroup<OwnNetwork>())
  const networks = await runAll(
    chosen,
    async ({ part }) => [part, ownNetworks.use(await startNetwork(engine, owner, part))] as const,
  )
  const routes = await routeToMint(base, Object.fromEntries(networks), stack)
  const ownContainers = stack.use(createDisposableGroup<StartedContainer>())
  const containers = await runAll(chosen, async (one) => {
    const network = Object.fromEntries(networks)[one.part] as OwnNetwork
    const started = await startContainer(engine, describeContainer(one, secrets, base, routes), {
      owner,
      network,
    })
    return ownContainers.use(started)
  })
  const described = await describeStack(base, chosen, containers, secrets, routes, folder)
  const ca = await readTrustedAuthorities(described.tls.ca)
  for (const proxy of routes.proxies) proxy.forwardTo(described.mint?.url ?? '', ca)
  await waitUntilAllReady(chosen, containers, described, options, redactor)
  const records = stack.use(await serveHops(routes.proxies))
  const page = await startReferencePage(
    base,
    chosen,
    { folder, signalingUrl: described.signaling?.url ?? '' },
    stack,
  )
  const watching = stack.use(
    await watchEvents(
      engine,
      containers.map(({ id }) => id),
    ),
  )
  const stop = stack.move()
  return {
    configuration: { ...described, ...page, hopRecords: records.url },
    look: () =>
      Promise.all(
        containers.map(async (container) => ({
          part: container.part,
          image: container.image,
          state: (await container.state()).text,
          events: watching.of(container.id),
          log: redactor.text(disarmLabels(await container.log())),
        })),
      ),
    readLogs: () =>
      Promise.all(
        containers.map(async (container) => ({ name: container.part, text: await container.log() })),
      ),
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  }
}

function createStackRedactor({ keys, sessions, consoleToken }: StackSecrets, base: Configuration): Redactor {
  const redactor = createRedactor()
  registerSecrets(base, redactor)
  for (const key of Object.values(keys)) redactor.register('api-key', key)
  for (const session of Object.values(sessions)) redactor.register('session', session)
  redactor.register('secret', consoleToken)
  return redactor
}

/** Waits for all at once; the first failure ends the others. */
async function waitUntilAllReady(
  chosen: readonly ChosenPart[],
  containers: readonly StartedContainer[],
  described: Configuration,
  { readyTimeoutSeconds, signal }: ContainerOptions,
  redactor: Redactor,
): Promise<void> {
  const failed = new AbortController()
  const { mint, backend, signaling } = described
  const urls = { mint: mint?.url ?? '', backend: backend?.url ?? '', signaling: signaling?.url ?? '' }
  await runAll(containers, async (container) => {
    const { part, health } = chosen.find((one) => one.part === container.part) as ChosenPart
    try {
      await waitUntilReady(container, {
        url: urls[part],
        health,
        timeoutSeconds: readyTimeoutSeconds,
        quote: createOutputQuote(described, redactor, container.image),
        signal: AbortSignal.any([signal, failed.signal]),
      })
    } catch (error) {
      failed.abort(error)
      throw error
    }
  })
}

/**
 * Starts the page of the reference as the client under test, where the configuration describes none and the reference was
 * built. A browser on this machine opens it, so it runs in no container.
 */
async function startReferencePage(
  base: Configuration,
  chosen: readonly ChosenPart[],
  { folder, signalingUrl }: { readonly folder: string; readonly signalingUrl: string },
  stack: AsyncDisposableStack,
): Promise<Pick<Configuration, 'client'>> {
  if (base.client !== undefined || !chosen.some(({ isReference }) => isReference)) return {}
  const { client: written } = stack.use(await startAppAlone(join(folder, 'images/public'), signalingUrl))
  const { client } = await resolveConfiguration({ client: written }, { directory: folder, environment: {} })
  return client === undefined ? {} : { client }
}
