import { basename, resolve } from 'node:path'
import { parseListen } from '../base/schema/leaves.ts'
import type { TokenConfiguration } from '../base/tokens/token-configuration.ts'
import type { BackendConfiguration } from '../roles/backend/types.ts'
import type { ClientConfiguration } from '../roles/client/client-configuration.ts'
import type { MintConfiguration, StateKey } from '../roles/mint/types.ts'
import type { SignalingConfiguration } from '../roles/signaling/types.ts'
import type { CommandSurroundings } from './command.ts'
import type { Configuration, StartConfiguration } from './configuration.ts'
import { runCredentialCommands } from './credentials.ts'
import { explain } from './explain.ts'
import { type KeyPath, pathKey } from './path.ts'
import { configurationError, type Origin, type Problem } from './problem.ts'
import { type ResolvedFile, resolvedSchema, writtenSchema } from './schema.ts'
import { substitute } from './substitute.ts'

/** Where a configuration is at home: `directory` is absolute, `environment` answers `${NAME}`. */
export type Surroundings = CommandSurroundings

/**
 * Puts the environment and the credentials into a configuration as it was written, and makes its paths absolute.
 * @throws TwotokenError `configuration` with every problem, or `credential` where only credentials are the problem
 */
export async function resolveFrom(
  written: unknown,
  origin: Origin,
  surroundings: Surroundings,
): Promise<Configuration> {
  const { value, fromEnvironment, problems } = substitute(written, surroundings.environment)
  const checked = writtenSchema.safeParse(value)
  const found = checked.success
    ? []
    : explain(checked.error, { schema: writtenSchema, value, fromEnvironment })
  // What could not be replaced has been named already.
  const others = found.filter((problem) => !problems.some(({ path }) => isAtOrBelow(problem.path, path)))
  refuse([...problems, ...others], origin)

  const credentials = await runCredentialCommands(value, surroundings)
  refuse(credentials.problems, origin)
  const resolved = resolvedSchema.safeParse(credentials.value)
  if (resolved.success) return configurationOf(resolved.data, surroundings.directory)
  const state = { schema: resolvedSchema, value: credentials.value, fromEnvironment }
  throw configurationError(explain(resolved.error, state), origin)
}

function refuse(problems: readonly Problem[], origin: Origin): void {
  if (problems.length > 0) throw configurationError(problems, origin)
}

function isAtOrBelow(path: KeyPath, above: KeyPath): boolean {
  return pathKey(path.slice(0, above.length)) === pathKey(above)
}

function configurationOf(file: ResolvedFile, directory: string): Configuration {
  const { mint, backend, signaling, token, client, bundle, start, tls } = file
  const absolute = (path: string) => resolve(directory, path)
  return {
    name: file.name ?? (basename(directory) || 'implementation'),
    directory,
    ...(mint && { mint: mintOf(mint) }),
    ...(backend && { backend: backendOf(backend, absolute) }),
    ...(signaling && { signaling: signalingOf(signaling, absolute) }),
    token: tokenOf(token, absolute),
    ...(client && { client: clientOf(client, absolute) }),
    ...(bundle && { bundle: { ...bundle, paths: bundle.paths.map(absolute) } }),
    ...(start && { start: startOf(start, absolute) }),
    hooks: file.hooks,
    logs: file.logs.map(absolute),
    absent: file.absent,
    limits: file.limits,
    tls: tls.ca === undefined ? {} : { ca: absolute(tls.ca) },
    waivers: file.waivers,
  }
}

type Part<Name extends keyof ResolvedFile> = NonNullable<ResolvedFile[Name]>
type Absolute = (path: string) => string

function mintOf({ keys, ...mint }: Part<'mint'>): MintConfiguration {
  const { trialEnded, suspended, capped } = keys
  return {
    ...mint,
    url: mint.url.replace(/\/+$/, ''),
    keys: {
      ...(trialEnded && { trialEnded: stateKeyOf(trialEnded) }),
      ...(suspended && { suspended: stateKeyOf(suspended) }),
      ...(capped && { capped: stateKeyOf(capped) }),
    },
  }
}

function stateKeyOf(written: string | StateKey): StateKey {
  return typeof written === 'string' ? { key: written, attested: false } : written
}

function backendOf(
  { fakeMint, sessionJwks, ...written }: Part<'backend'>,
  absolute: Absolute,
): BackendConfiguration {
  const backend = {
    ...written,
    ...(sessionJwks !== undefined && { sessionJwks: keySetOf(sessionJwks, absolute) }),
  }
  if (fakeMint === undefined) return backend
  const { listen, ...rest } = fakeMint
  const address = parseListen(listen)
  return address === undefined ? backend : { ...backend, fakeMint: { ...address, ...rest } }
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
  const address = observe && parseListen(observe.listen)
  return {
    ...client,
    ...(driver !== undefined && { driver: absolute(driver) }),
    ...(browser !== undefined && { browser: absolute(browser) }),
    ...(address && { observe: address }),
  }
}

function tokenOf({ jwks, signWith, ...token }: Part<'token'>, absolute: Absolute): TokenConfiguration {
  return {
    ...token,
    ...(jwks !== undefined && { jwks: keySetOf(jwks, absolute) }),
    ...(signWith && {
      signWith: 'secret' in signWith ? signWith : { ...signWith, privateKey: absolute(signWith.privateKey) },
    }),
  }
}

/** The schema has seen to it that there is one way to start and no other. */
function startOf(start: Part<'start'>, absolute: Absolute): StartConfiguration {
  const { readyTimeoutSeconds, compose, command, containers } = start
  if (compose !== undefined) return { readyTimeoutSeconds, compose: absolute(compose) }
  if (command !== undefined) return { readyTimeoutSeconds, command }
  return { readyTimeoutSeconds, containers: containers ?? {} }
}
