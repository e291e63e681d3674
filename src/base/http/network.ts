import { readFile } from 'node:fs/promises'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { TwotokenError } from '../errors.ts'
import type { ProxySettings } from './proxy-settings.ts'

/** How connections of the suite are made: whom they trust, who they are, and through what they leave. */
export interface Network {
  /** PEM certificates to trust besides the system's. */
  readonly ca?: readonly string[] | undefined
  /** The suite's own certificate, for servers that ask for one. */
  readonly identity?: Identity | undefined
  readonly proxy?: ProxySettings | undefined
}

export interface Identity {
  /** PEM. */
  readonly cert: string
  readonly key: string
  /** Names of the hosts that it is shown to: no other learns who tests. */
  readonly hosts: readonly string[]
}

export interface NetworkFiles {
  readonly tls: {
    readonly ca?: string | undefined
    readonly client?: { readonly cert: string; readonly key: string } | undefined
  }
  readonly proxy?: ProxySettings | undefined
  readonly mint?: Addressed | undefined
  readonly backend?: Addressed | undefined
  readonly signaling?: Addressed | undefined
  readonly client?: { readonly url?: string | undefined } | undefined
  readonly token?: { readonly jwks?: string | undefined } | undefined
}

interface Addressed {
  readonly url: string
}

/** @throws TwotokenError `configuration` where a file cannot be read, or certificate and key do not belong together */
export async function openNetwork(files: NetworkFiles): Promise<Network> {
  const { tls, proxy } = files
  const ca = await readTrustedAuthorities(tls.ca)
  const identity = tls.client && {
    cert: await readPem('tls.client.cert', tls.client.cert),
    key: await readPem('tls.client.key', tls.client.key),
    hosts: hostsOf(files),
  }
  try {
    if (identity !== undefined) createSecureContext(identity)
  } catch (error) {
    throw new TwotokenError(
      'configuration',
      `tls.client cannot be used (${(error as Error).message}), expected a PEM certificate and its unencrypted private key: correct the files`,
      error,
    )
  }
  return { ca, identity, proxy }
}

function hostsOf({ mint, backend, signaling, client, token, proxy }: NetworkFiles): string[] {
  const urls = [
    mint?.url,
    backend?.url,
    signaling?.url,
    client?.url,
    token?.jwks,
    proxy?.secure,
    proxy?.plain,
  ]
  return urls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : []))
}

/** Reading all certificates of the system takes 40 ms or more; a process knows few networks, and asks for them often. */
const contexts = new Map<string, SecureContext>()

/** Returns the options for a TLS connection to a host, by the name that its URL has. */
export function secureOptions(
  { ca, identity: own }: Pick<Network, 'ca' | 'identity'>,
  host: string,
): {
  readonly secureContext?: SecureContext | undefined
} {
  const identity = own?.hosts.includes(host) === true ? { cert: own.cert, key: own.key } : undefined
  if (ca === undefined && identity === undefined) return {}
  const key = JSON.stringify([ca, identity])
  const known = contexts.get(key)
  if (known !== undefined) return { secureContext: known }
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates(), ...ca] }
  const secureContext = createSecureContext({ ...trusted, ...identity })
  contexts.set(key, secureContext)
  return { secureContext }
}

/** The certificates that `tls.ca` adds to the system's. */
export async function readTrustedAuthorities(file: string | undefined): Promise<string[] | undefined> {
  return file === undefined ? undefined : [await readPem('tls.ca', file)]
}

async function readPem(key: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new TwotokenError('configuration', `${key} cannot be read: ${file}`, error)
  }
}
