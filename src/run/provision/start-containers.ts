import { setTimeout as delay } from 'node:timers/promises'
import { startAppAlone } from '../../../fixtures/app/described.ts'
import { createStackSecrets, type StackSecrets } from '../../../fixtures/images/secrets.ts'
import { TwotokenError } from '../../base/errors.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { readTrustedAuthorities } from '../../base/http/network.ts'
import { identifyProcess } from '../../base/process-identity.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { betweenProbesMs } from '../../base/times.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import { serveHops } from '../../roles/flow/recorded-hops.ts'
import { createDisposableGroup, rejectOnAbort, runAll } from './concurrency.ts'
import { describeContainer, describeStack } from './describe-stack.ts'
import {
  type OwnNetwork,
  type StartedContainer,
  startContainer,
  startNetwork,
  warnOfPublishing,
} from './engine/container.ts'
import { connectEngine } from './engine/engine.ts'
import { removeOrphans } from './engine/orphans.ts'
import { readContainers } from './engine/watched-container.ts'
import { type ContainerOptions, chooseParts } from './images.ts'
import { routeToMint } from './mint-routes.ts'
import type { ProvisionedStack } from './provisioned-stack.ts'
import { createOutputQuote, type OutputQuote, secretsOf } from './quote-output.ts'
import { probe } from './wait-for-addresses.ts'

/** Starts parts in containers. Each has its own network, so that requests between them go through the suite. */
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
  const secrets = secretsOf(base)
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
      quote: createOutputQuote(described, container.image, secrets),
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

interface Readiness {
  /** The address of the part in the configuration: its scheme, and its path where `health` is absent. */
  readonly url: string
  readonly timeoutSeconds: number
  readonly quote: OutputQuote
  readonly signal: AbortSignal
}

/** @throws TwotokenError `precondition`, with the last lines of the container, where it does not become ready */
async function waitUntilReady(
  { address, part, image, port, health, ...container }: StartedContainer,
  { url, timeoutSeconds, quote, signal }: Readiness,
): Promise<void> {
  const target = new URL(url)
  target.host = address
  const deadline = performance.now() + timeoutSeconds * 1000
  const refused = async (what: string, advice: string) =>
    new TwotokenError(
      'precondition',
      `the ${part}'s container (image ${image}) ${what}; expected it to keep running and to respond on port ${port}: ${advice}${quote(await container.log())}`,
    )
  for (;;) {
    signal.throwIfAborted()
    const [silence, state] = await Promise.all([probe(target.href, { health }), container.state()])
    if (!state.isRunning)
      throw await refused(
        state.text,
        `check its log; it has the capabilities and the memory of start.containers.${part}, and no others`,
      )
    const isHealthy = state.health !== 'unhealthy' && (health !== undefined || state.health !== 'starting')
    if (silence === null && isHealthy) return
    if (performance.now() > deadline) {
      const late = `was not ready within ${timeoutSeconds} s (${silence ?? `its own health check says ${state.health}`})`
      throw await refused(
        late,
        `listen on port ${port} of 0.0.0.0, raise start.readyTimeoutSeconds, or correct start.containers.${part}`,
      )
    }
    await delay(betweenProbesMs, undefined, { signal })
  }
}
