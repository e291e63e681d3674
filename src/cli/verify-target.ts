import { basename, resolve } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import { omitUndefined } from '../base/omit-undefined.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { resolveConfiguration } from '../configuration/load.ts'

export interface TargetOptions {
  readonly role: 'mint' | 'backend'
  readonly config?: string | undefined
  /** The mint's base URL, or the backend's token route; instead of the configuration's. */
  readonly url?: string
  readonly method?: 'POST' | 'GET'
  /** By name, instead of the configuration's. */
  readonly credential?: Credentials
}

type CredentialName = 'apiKey' | 'trialEnded' | 'suspended' | 'capped' | 'session' | 'expiredSession'
type Credentials = Readonly<Partial<Record<CredentialName, string>>>

/** The configuration of the provider to verify: the options override the file, which `load` reads. */
export async function resolveTarget(
  { role, config, url, method, credential = {} }: TargetOptions,
  directory: string,
  load: (file: string) => Promise<Configuration>,
): Promise<Configuration> {
  if (config === undefined && url === undefined)
    throw new TwotokenError(
      'usage',
      'no provider is given: describe it in twotoken.yaml (npx twotoken init writes one), or name it with --url',
    )
  const written =
    config === undefined
      ? await resolveConfiguration({ name: basename(url ?? role) }, { directory, environment: {} })
      : await load(resolve(directory, config))
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new TwotokenError(
      'usage',
      '--url is not an http or https URL; use one such as https://api.example.com',
    )
  const base = role === 'mint' ? url?.replace(/(?<!\/)\/+$/, '') : url
  const address = base ?? written[role]?.url
  if (address === undefined)
    throw new TwotokenError('usage', `the configuration has no ${role}; add ${role}.url, or use --url`)
  const named = { ...written, name: written[role] === undefined ? new URL(address).host : written.name }
  return role === 'mint'
    ? { ...named, mint: mintAt(address, written.mint, credential) }
    : { ...named, backend: backendAt(address, method, written.backend, credential) }
}

function mintAt(
  address: string,
  mint: Configuration['mint'],
  given: Credentials,
): NonNullable<Configuration['mint']> {
  const attested = (['trialEnded', 'suspended', 'capped'] as const).flatMap((name) => {
    const key = given[name]
    return key === undefined ? [] : [[name, { key, attested: true }]]
  })
  return {
    minTtlSeconds: 60,
    ...mint,
    url: address,
    apiKey: given.apiKey ?? mint?.apiKey ?? '',
    keys: { ...mint?.keys, ...Object.fromEntries(attested) },
  }
}

function backendAt(
  address: string,
  method: 'POST' | 'GET' | undefined,
  backend: Configuration['backend'],
  { session, expiredSession }: Credentials,
): NonNullable<Configuration['backend']> {
  return {
    ...backend,
    url: address,
    method: method ?? backend?.method ?? 'POST',
    sessions: {
      ...backend?.sessions,
      ...omitUndefined({
        alice: session === undefined ? undefined : { token: session, userId: '' },
        expired: expiredSession === undefined ? undefined : { token: expiredSession },
      }),
    },
  }
}
