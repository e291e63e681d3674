import { resolve } from 'node:path'
import { serveJson } from '../base/http/serve-json.ts'
import { tellingIn } from '../base/told-wait.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import type { Role } from '../requirement/define.ts'
import type { Log } from '../roles/flow/logs.ts'
import { assertListenable } from '../roles/mint/listen.ts'
import type { RunEnvironment } from './options.ts'
import { partsBehind } from './preflight/preflight.ts'
import { provision, type StartEnvironment } from './provision/provision.ts'
import type { ProvisionedStack } from './provision/provisioned-stack.ts'
import type { AddressedPart } from './provision/wait-for-addresses.ts'
import {
  assertWritable,
  createDoubleCertificate,
  type DoubleCertificate,
  resultsIn,
} from './write-artefacts.ts'

export interface PreparingOptions {
  readonly config?: string | undefined
  readonly out?: string | undefined
  /** The folder of the results beside a configuration, where `out` names none; the usual one where absent. */
  readonly usualOut?: ((folder: string) => string) | undefined
  readonly containers: boolean
  /** The roles that are judged or explored: only the parts that these contact are waited for. */
  readonly contactedBy: readonly Role[]
  readonly unconfigured: () => Promise<Configuration>
  readonly signal: AbortSignal
}

/** A configuration with everything started that it names, and the place for the results. */
export interface PreparedConfiguration extends Started {
  readonly out: string
}

/** Prepares folder and certificate before the stack is started: a backend that is started reads both. */
export async function prepareConfiguration(
  { config, out, usualOut = resultsIn, containers, contactedBy, unconfigured, signal }: PreparingOptions,
  { directory, variables, stderr }: RunEnvironment,
  stack: AsyncDisposableStack,
): Promise<PreparedConfiguration> {
  const folderOf = (written: Configuration) => (config === undefined ? directory : written.directory)
  const outOf = (written: Configuration) => resolve(directory, out ?? usualOut(folderOf(written)))
  // Backends are told one place for the authority, which is the same for all commands.
  const authorityIn = (written: Configuration) => resolve(directory, out ?? resultsIn(folderOf(written)))
  const beforeStart = async (draft: Configuration) => {
    await assertWritable(outOf(draft))
    return await createDoubleCertificate(draft, authorityIn(draft), stderr)
  }
  const surroundings = { variables, stderr, signal }
  if (config !== undefined) {
    const file = resolve(directory, config)
    const loading = { ...surroundings, inContainers: containers, beforeStart, contactedBy }
    const started = await loadStarted(file, loading, stack)
    return await withLogs({ ...started, out: outOf(started.configuration) }, stack)
  }
  const written = await unconfigured()
  const certificate = await beforeStart(written)
  const provisioned = await provision(written, containers, surroundings)
  if (provisioned !== null) stack.use(provisioned)
  const configuration = provisioned?.configuration ?? written
  return await withLogs({ configuration, provisioned, out: outOf(written), certificate }, stack)
}

/** Gives a started stack an address to read its logs at. */
async function withLogs(
  prepared: PreparedConfiguration,
  stack: AsyncDisposableStack,
): Promise<PreparedConfiguration> {
  const { provisioned, configuration } = prepared
  if (provisioned === null) return prepared
  const readLogs = async () =>
    (await provisioned.look()).map(({ part, printed }): Log => ({ name: part, text: printed }))
  const { url } = stack.use(await serveJson(readLogs))
  return { ...prepared, configuration: { ...configuration, partLogs: url } }
}

interface LoadingOptions extends Omit<StartEnvironment, 'contacted'> {
  /** The roles that are judged: only what these contact is waited for. */
  readonly contactedBy: readonly Role[]
  readonly inContainers?: boolean
  /** Checks its conditions before anything is started, and may make the certificate of the mint double. */
  readonly beforeStart?: (draft: Configuration) => Promise<DoubleCertificate>
}

interface Started {
  readonly configuration: Configuration
  /** Null where it runs already. */
  readonly provisioned: ProvisionedStack | null
  readonly certificate: DoubleCertificate
}

/** Reads a configuration, and brings up what it starts before programs are run that print credentials. */
export async function loadStarted(
  file: string,
  { inContainers = false, beforeStart = async () => ({}), contactedBy, ...environment }: LoadingOptions,
  stack: AsyncDisposableStack,
): Promise<Started> {
  const made: { early?: Omit<Started, 'configuration'> } = {}
  const bringUp = async (draft: Configuration) => {
    const certificate = await beforeStart(draft)
    const { backend, start } = draft
    const partsOf = (role: Role): readonly AddressedPart[] =>
      role === 'client' ? ['client'] : partsBehind(role, draft)
    const contacted = [...new Set(contactedBy.flatMap(partsOf))]
    if (start !== undefined && backend?.fakeMint !== undefined && contacted.includes('backend'))
      await assertListenable(backend.fakeMint)
    const provisioned = await provision(draft, inContainers, { ...environment, contacted })
    if (provisioned !== null) stack.use(provisioned)
    made.early = { provisioned, certificate }
    return made.early
  }
  const { variables, signal, stderr } = environment
  const tellWait = tellingIn(stderr)
  const configuration = await loadConfiguration(file, variables, { signal, bringUp, tellWait })
  // A stack that was started from a draft lacks the credentials.
  if (made.early !== undefined) return { ...made.early, configuration }
  const late = await bringUp(configuration)
  return { ...late, configuration: late.provisioned?.configuration ?? configuration }
}
