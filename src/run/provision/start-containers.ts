import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStackSecrets, type StackSecrets } from '../../../fixtures/images/secrets.ts'
import { createRedactor, type Redactor } from '../../base/evidence/redact.ts'
import { readTrustedAuthorities } from '../../base/tls/trusted-authorities.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { serveHops } from '../../roles/flow/recorded-hops.ts'
import { type StartedContainer, startContainer } from './containers/container.ts'
import { connectEngine } from './containers/engine.ts'
import { watchEvents } from './containers/events.ts'
import { type OwnNetwork, startNetwork } from './containers/network.ts'
import { ownerOfThisProcess } from './containers/owner.ts'
import { becomeReady } from './containers/ready.ts'
import { sweep } from './containers/sweep.ts'
import { describedStack } from './described.ts'
import { chosenParts } from './images.ts'
import { referencePage } from './page.ts'
import type { Chosen, ContainerOptions } from './parts.ts'
import type { Started } from './started.ts'
import { abortable, everyOne, together } from './together.ts'
import { wantedOf } from './wanted.ts'
import { wired } from './wires.ts'

/**
 * Brings up in containers what the configuration gives an image for, and the reference in place of what it does not
 * describe at all. Each part has a network of its own: what one says to another passes the suite.
 * @throws TwotokenError `precondition`
 */
export async function startContainers(base: Configuration, options: ContainerOptions): Promise<Started> {
  const { signal, say } = options
  await using stack = new AsyncDisposableStack()
  const engine = await connectEngine()
  const swept = await sweep(engine)
  if (swept > 0) say(`removed ${swept} containers, networks and volumes of a run that was killed`)
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'twotoken-containers-')), (path) =>
    // Where the user interrupts a build, something may still be written there.
    rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined),
  )
  const secrets = await createStackSecrets(['localhost', '127.0.0.1', 'signaling', engine.host])
  const redactor = redactorOf(secrets, base)
  const chosen = await abortable(chosenParts(engine, base, options, folder), signal)
  const owner = await ownerOfThisProcess()

  const ownNetworks = stack.use(together<OwnNetwork>())
  const networks = await everyOne(
    chosen,
    async ({ part }) => [part, ownNetworks.use(await startNetwork(engine, owner, part))] as const,
  )
  const wires = await wired(base, Object.fromEntries(networks), stack)
  const ownContainers = stack.use(together<StartedContainer>())
  const containers = await everyOne(chosen, async (one) => {
    const network = Object.fromEntries(networks)[one.part] as OwnNetwork
    const started = await startContainer(engine, wantedOf(one, secrets, base, wires), { owner, network })
    return ownContainers.use(started)
  })
  const described = await describedStack(base, chosen, containers, secrets, wires, folder)
  const ca = await readTrustedAuthorities(described.tls.ca)
  for (const tap of wires.taps) tap.forwardTo(described.mint?.url ?? '', ca)
  await allReady(chosen, containers, described, options, redactor)
  const records = stack.use(await serveHops(wires.taps))
  const page = await referencePage(
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
    configuration: { ...described, ...page, tapRecords: records.url },
    look: () =>
      Promise.all(
        containers.map(async (container) => ({
          part: container.part,
          image: container.image,
          state: (await container.state()).text,
          events: watching.of(container.id),
          log: redactor.text(await container.log()),
        })),
      ),
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  }
}

function redactorOf({ keys, sessions, consoleToken }: StackSecrets, base: Configuration): Redactor {
  const redactor = createRedactor()
  registerSecrets(base, redactor)
  for (const key of Object.values(keys)) redactor.register('api-key', key)
  for (const session of Object.values(sessions)) redactor.register('session', session)
  redactor.register('secret', consoleToken)
  return redactor
}

/** Waits for all at once; as soon as one cannot be had, for none. */
async function allReady(
  chosen: readonly Chosen[],
  containers: readonly StartedContainer[],
  { mint, backend, signaling }: Configuration,
  { readyTimeoutSeconds, signal }: ContainerOptions,
  redactor: Redactor,
): Promise<void> {
  const failed = new AbortController()
  const urls = { mint: mint?.url ?? '', backend: backend?.url ?? '', signaling: signaling?.url ?? '' }
  await everyOne(containers, async (container) => {
    const { part, health } = chosen.find((one) => one.part === container.part) as Chosen
    try {
      await becomeReady(container, {
        url: urls[part],
        ...(health === undefined ? {} : { health }),
        timeoutSeconds: readyTimeoutSeconds,
        clean: redactor.text,
        signal: AbortSignal.any([signal, failed.signal]),
      })
    } catch (error) {
      failed.abort(error)
      throw error
    }
  })
}
