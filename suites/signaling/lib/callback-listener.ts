import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { HttpClient } from '../../../src/base/http/client.ts'
import { type Address, startListening } from '../../../src/base/http/listening.ts'
import type { UntrustedSigner } from '../../../src/base/tokens/forge-untrusted.ts'

/** Where issuers publish their keys, and the metadata that names that place (RFC 8414, OpenID Connect Discovery). */
const keyPaths = ['/.well-known/jwks.json', '/.well-known/jwks', '/jwks'] as const
const metadataPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']
/** The listener is the suite's own: only a busy machine makes it slow. */
const probeMs = 30_000
/** So many requests say as much as more. */
const mostPaths = 1_000

/**
 * Serves the untrusted key at the URLs that a forged header names, and records the requests.
 * It listens where the service reaches this machine, else on loopback. Throws the system's error.
 */
export async function startCallbackListener(
  { publicJwk, certificate, alg }: UntrustedSigner,
  callbackUrl?: string,
) {
  const paths: string[] = []
  const folder = `/${randomBytes(16).toString('base64url')}`
  const nonce = randomBytes(16).toString('base64url')
  const served = new Map<string, { readonly type: string; readonly text: string }>()
  const server = createServer((request, response) => {
    const asked = URL.parse(`http://127.0.0.1${request.url ?? ''}`)?.pathname ?? ''
    // A forwarder to here may keep the path of the address.
    const pathname = asked.slice(Math.max(0, asked.indexOf(folder)))
    const found = served.get(pathname)
    // Paths below the folder are recorded, too: a service may take the URL for that of an issuer.
    const isProbe = pathname === `${folder}/reachable`
    if (pathname.startsWith(`${folder}/`) && !isProbe && paths.length < mostPaths) paths.push(pathname)
    if (found === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': found.type }).end(found.text)
  })
  const listening = await startListening(server, addressOf(callbackUrl))
  const reached = callbackUrl?.replace(/(?<!\/)\/+$/, '') ?? `http://127.0.0.1:${listening.port}`
  const base = `${reached}${folder}`
  const serve = (path: string, text: string, type = 'application/json') =>
    served.set(`${folder}${path}`, { type, text })
  const keySet = (more: object) => JSON.stringify({ keys: [{ ...publicJwk, alg, use: 'sig', ...more }] })
  serve('/reachable', nonce, 'text/plain')
  serve('/jwks.json', keySet({}))
  serve('/certificate.pem', certificate, 'application/x-pem-file')
  for (const path of keyPaths) serve(path, keySet({ kid: 'untrusted' }))
  for (const path of metadataPaths)
    serve(path, JSON.stringify({ issuer: base, jwks_uri: `${base}${keyPaths[0]}` }))
  return {
    /** An issuer that publishes the untrusted key as issuers do, under the key id `untrusted`. */
    issuer: base,
    jwksUrl: `${base}/jwks.json`,
    certificateUrl: `${base}/certificate.pem`,
    /** At and below the URLs that a forged header named: another program that guesses a path is not signaling. */
    requestedPaths: (): readonly string[] => paths,
    /** Says whether the address leads to this listener, as far as the suite itself can see. */
    async isReachable(http: HttpClient): Promise<boolean> {
      const url = `${base}/reachable`
      const reply = await http.send({ to: 'listener', method: 'GET', url, headers: [], deadlineMs: probeMs })
      return reply.kind === 'answer' && reply.body === nonce
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** An address of this machine that the URL names is listened on alone; a name, or an address of a gateway, may lead to any. */
function addressOf(callbackUrl: string | undefined): Address {
  if (callbackUrl === undefined) return { host: '127.0.0.1', port: 0 }
  const { hostname, port } = new URL(callbackUrl)
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '')
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
  return { host: own.includes(host) ? host : '0.0.0.0', port: port === '' ? 80 : Number(port) }
}
