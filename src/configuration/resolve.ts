import { basename, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { type ProxySettings, proxyOf } from '../base/http/proxy-settings.ts'
import { parseListen } from '../base/schema/leaves.ts'
import type { TokenConfiguration } from '../base/tokens/token-configuration.ts'
import { type TellWait, tellingWait } from '../base/told-wait.ts'
import type { BackendConfiguration, SessionRenewal } from '../roles/backend/types.ts'
import type { ClientConfiguration } from '../roles/client/client-configuration.ts'
import type { MintConfiguration, StateKey } from '../roles/mint/types.ts'
import type { SignalingConfiguration } from '../roles/signaling/types.ts'
import type { CommandSurroundings } from './command.ts'
import type { Configuration, StartConfiguration } from './configuration.ts'
import { needsCommands, type Obtained, runCredentialCommands, withoutCommands } from './credentials.ts'
import { readEnvFile } from './env-file.ts'
import { explain } from './explain.ts'
import { fixedRequestOf } from './fixed-request.ts'
import { type KeyPath, pathKey, valueAt } from './path.ts'
import { configurationError, type Origin, type Problem } from './problem.ts'
import { type ResolvedFile, resolvedSchema, writtenSchema } from './schema.ts'
import { substitute } from './substitute.ts'

/** Where a configuration is at home: `directory` is absolute, `environment` answers `${NAME}`. */
export interface Surroundings extends CommandSurroundings {
  /**
   * Brings up what `start` names, before programs are run that print credentials: they may ask it for them. Gets the configuration
   * without those.
   */
  readonly bringUp?: (draft: Configuration) => Promise<void>
  readonly tellWait?: TellWait | undefined
}

/**
 * Puts the environment and the credentials into a configuration as it was written, and makes its paths absolute.
 * @throws TwotokenError `configuration` with every problem, or `credential` where only credentials are the problem
 */
export async function resolveFrom(
  written: unknown,
  origin: Origin,
  surroundings: Surroundings,
): Promise<Configuration> {
  const named = await readEnvFile(surroundings.directory, surroundings.environment)
  const { value, fromEnvironment, problems } = substitute(written, named)
  const checked = writtenSchema.safeParse(value)
  const found = checked.success
    ? []
    : explain(checked.error, { schema: writtenSchema, value, fromEnvironment })
  // A value that could not be replaced has been named already.
  const others = found.filter((problem) => !problems.some(({ path }) => isAtOrBelow(problem.path, path)))
  refuse([...problems, ...others], origin)

  const toStart = checked.data?.start
  const isToStart = toStart !== undefined && toStart.containers === undefined
  let credentials: Obtained = { value, problems: [], isFinal: false }
  let obtainedAt = Date.now()
  if (surroundings.bringUp !== undefined && isToStart && needsCommands(value)) {
    const draft = resolvedSchema.safeParse(withoutCommands(value))
    const nothing = {
      isFromOutside: () => true,
      renewalOf: () => undefined,
      commandOf: () => undefined,
      proxy: undefined,
      variables: [...fromEnvironment.values()],
    }
    if (draft.success)
      await surroundings.bringUp(configurationOf(draft.data, surroundings.directory, nothing))
    obtainedAt = Date.now()
    const seconds = toStart.readyTimeoutSeconds
    credentials = await tellingWait(() => obtainPatiently(value, surroundings, seconds), {
      what: 'the programs that print credentials',
      longestMs: seconds * 1000,
      tell: surroundings.tellWait ?? (() => undefined),
    })
  } else credentials = await runCredentialCommands(value, surroundings)
  refuse(credentials.problems, origin)
  const resolved = resolvedSchema.safeParse(credentials.value)
  const sources: Sources = {
    isFromOutside: (path) => fromEnvironment.has(pathKey(path)) || typeof valueAt(value, path) === 'object',
    renewalOf: (name) => renewalIn(checked.data, name, obtainedAt),
    commandOf: (name) => commandIn(checked.data, name),
    proxy: proxyOf(surroundings.environment),
    variables: [...fromEnvironment.values()],
  }
  if (resolved.success) return configurationOf(resolved.data, surroundings.directory, sources)
  const state = { schema: resolvedSchema, value: credentials.value, fromEnvironment }
  throw configurationError(explain(resolved.error, state), origin)
}

const againMs = 500

/**
 * Runs failed programs again for as long as it may take. A part that was just started may not give sessions
 * yet.
 */
async function obtainPatiently(
  value: unknown,
  surroundings: Surroundings,
  seconds: number,
): Promise<Obtained> {
  const until = Date.now() + seconds * 1000
  for (let left = value; ; ) {
    const obtained = await runCredentialCommands(left, surroundings)
    const mayWait = Date.now() + againMs < until && surroundings.signal?.aborted !== true
    if (obtained.problems.length === 0 || obtained.isFinal || !mayWait) return obtained
    await delay(againMs)
    // Those that have printed one are not run once more.
    left = obtained.value
  }
}

/** Knowledge about a value besides itself: its origin, and the way to get it again. */
interface Sources {
  isFromOutside(path: KeyPath): boolean
  renewalOf(session: string): SessionRenewal | undefined
  /** The command that prints a session. */
  commandOf(session: string): string | undefined
  /** Proxy settings from the environment. */
  readonly proxy: ProxySettings | undefined
  /** Names of the variables that values were taken from. */
  readonly variables: readonly string[]
}

function refuse(problems: readonly Problem[], origin: Origin): void {
  if (problems.length > 0) throw configurationError(problems, origin)
}

function isAtOrBelow(path: KeyPath, above: KeyPath): boolean {
  return pathKey(path.slice(0, above.length)) === pathKey(above)
}

function configurationOf(file: ResolvedFile, directory: string, sources: Sources): Configuration {
  const { mint, backend, signaling, token, client, bundle, start, tls } = file
  const proxy = file.proxy === undefined ? sources.proxy : proxySettingsOf(file.proxy)
  const absolute = (path: string) => resolve(directory, path)
  return {
    name: file.name ?? (basename(directory) || 'implementation'),
    directory,
    mint: mint && mintOf(mint),
    backend: backend && backendOf(backend, absolute, sources),
    signaling: signaling && signalingOf(signaling, absolute),
    token: tokenOf(token, absolute),
    client: client && clientOf(client, absolute),
    bundle: bundle && { ...bundle, paths: bundle.paths.map(absolute) },
    start: start && startOf(start, absolute),
    hooks: file.hooks,
    logs: file.logs.map(absolute),
    stories: file.stories.map(absolute),
    absent: file.absent,
    environment: file.environment,
    referredVariables: [...new Set(sources.variables)].sort(),
    limits: file.limits,
    tls: {
      ca: tls.ca === undefined ? undefined : absolute(tls.ca),
      client: tls.client && { cert: absolute(tls.client.cert), key: absolute(tls.client.key) },
    },
    proxy,
    waivers: file.waivers,
  }
}

type Part<Name extends keyof ResolvedFile> = NonNullable<ResolvedFile[Name]>
type Absolute = (path: string) => string

function mintOf({ keys, ...mint }: Part<'mint'>): MintConfiguration {
  const { trialEnded, suspended, capped } = keys
  return {
    ...mint,
    url: mint.url.replace(/(?<!\/)\/+$/, ''),
    keys: {
      trialEnded: stateKeyOf(trialEnded),
      suspended: stateKeyOf(suspended),
      capped: stateKeyOf(capped),
    },
  }
}

function stateKeyOf(written: string | StateKey | undefined): StateKey | undefined {
  return typeof written === 'string' ? { key: written, attested: false } : written
}

function backendOf(
  { fakeMint, sessionJwks, request, ...written }: Part<'backend'>,
  absolute: Absolute,
  { isFromOutside, renewalOf, commandOf }: Sources,
): BackendConfiguration {
  const backend = {
    ...written,
    sessions: {
      ...written.sessions,
      ...renewed(written.sessions, renewalOf),
      ...former(written.sessions, commandOf),
    },
    request: request && fixedRequestOf(request, isFromOutside),
    sessionJwks: sessionJwks === undefined ? undefined : keySetOf(sessionJwks, absolute),
  }
  if (fakeMint === undefined) return backend
  const { listen, ...rest } = fakeMint
  const address = parseListen(listen)
  return address === undefined ? backend : { ...backend, fakeMint: { ...address, ...rest } }
}

function proxySettingsOf({ url, bypass }: NonNullable<ResolvedFile['proxy']>): ProxySettings {
  return { secure: url, plain: url, bypass }
}

/** The users among the sessions whose tokens are obtained again. */
function renewed(
  { alice, aliceSecondDevice, bob }: Part<'backend'>['sessions'],
  renewalOf: Sources['renewalOf'],
): BackendConfiguration['sessions'] {
  const users = Object.entries({ alice, aliceSecondDevice, bob }).flatMap(([name, user]) => {
    const renewal = renewalOf(name)
    return user === undefined || renewal === undefined ? [] : [[name, { ...user, renewal }] as const]
  })
  return Object.fromEntries(users)
}

/** The ended sessions that a command prints. */
function former(
  { expired, signedOut }: Part<'backend'>['sessions'],
  commandOf: Sources['commandOf'],
): BackendConfiguration['sessions'] {
  const sessions = Object.entries({ expired, signedOut }).flatMap(([name, session]) => {
    const command = commandOf(name)
    return session === undefined || command === undefined ? [] : [[name, { ...session, command }] as const]
  })
  return Object.fromEntries(sessions)
}

function commandIn(written: z.output<typeof writtenSchema> | undefined, name: string): string | undefined {
  const command = valueAt(written, ['backend', 'sessions', name, 'token', 'command'])
  return typeof command === 'string' ? command : undefined
}

function renewalIn(
  written: z.output<typeof writtenSchema> | undefined,
  name: string,
  obtainedAt: number,
): SessionRenewal | undefined {
  const token = valueAt(written, ['backend', 'sessions', name, 'token'])
  if (typeof token !== 'object' || token === null || !('freshEverySeconds' in token)) return undefined
  const { command, freshEverySeconds } = token as { command: string; freshEverySeconds: number }
  return { command, everySeconds: freshEverySeconds, obtainedAt }
}

/** A URL, or a file beside the configuration. */
function keySetOf(written: string, absolute: Absolute): string {
  return written.includes('://') ? written : absolute(written)
}

function signalingOf(signaling: Part<'signaling'>, absolute: Absolute): SignalingConfiguration {
  const { profile, adapter, ...rest } = signaling
  if (profile !== undefined) return { ...rest, access: { profile } }
  return adapter === undefined ? rest : { ...rest, access: { adapter: absolute(adapter) } }
}

function clientOf(
  { driver, observe, browser, ...client }: Part<'client'>,
  absolute: Absolute,
): ClientConfiguration {
  const device = observe && deviceOf(observe)
  return {
    ...client,
    driver: driver === undefined ? undefined : absolute(driver),
    browser: browser === undefined ? undefined : absolute(browser),
    observe: device,
  }
}

function deviceOf({ listen, proxy, forwardUnread }: NonNullable<Part<'client'>['observe']>) {
  const address = parseListen(proxy ?? listen ?? '')
  if (address === undefined) return undefined
  return proxy === undefined
    ? { by: 'addresses' as const, ...address }
    : { by: 'proxy' as const, ...address, forwardUnread }
}

function tokenOf({ jwks, signWith, ...token }: Part<'token'>, absolute: Absolute): TokenConfiguration {
  return {
    ...token,
    jwks: jwks === undefined ? undefined : keySetOf(jwks, absolute),
    signWith:
      signWith &&
      ('secret' in signWith ? signWith : { ...signWith, privateKey: absolute(signWith.privateKey) }),
  }
}

/** The schema has seen to it that there is one way to start and no other. */
function startOf(start: Part<'start'>, absolute: Absolute): StartConfiguration {
  const { readyTimeoutSeconds, compose, command, containers } = start
  if (compose !== undefined) return { readyTimeoutSeconds, compose: absolute(compose) }
  if (command !== undefined) return { readyTimeoutSeconds, command }
  return { readyTimeoutSeconds, containers: containers ?? {} }
}
