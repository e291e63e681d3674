import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { startListening } from '../../src/base/http/listening.ts'
import type { UntrustedSigner } from '../../src/base/tokens/forge-untrusted.ts'

/** Serves the untrusted key at the URLs that a forged header names, and records the requests. */
export interface CallbackListener extends AsyncDisposable {
  readonly jwksUrl: string
  readonly certificateUrl: string
  /** The requested paths at and below the URLs that a forged header named: another program that guesses a path is not signaling. */
  requestedPaths(): readonly string[]
}

/** So many requests say as much as more. */
const mostPaths = 1_000

export async function startCallbackListener({
  publicJwk,
  certificate,
  alg,
}: UntrustedSigner): Promise<CallbackListener> {
  const paths: string[] = []
  const folder = `/${randomBytes(16).toString('base64url')}`
  const keySet = JSON.stringify({ keys: [{ ...publicJwk, alg, use: 'sig' }] })
  const served = new Map([
    [`${folder}/jwks.json`, { type: 'application/json', text: keySet }],
    [`${folder}/certificate.pem`, { type: 'application/x-pem-file', text: certificate }],
  ])
  const server = createServer((request, response) => {
    const { pathname = '' } = URL.parse(`http://127.0.0.1${request.url ?? ''}`) ?? {}
    const found = served.get(pathname)
    // What is below, too: a service may take the URL for that of an issuer.
    if (pathname.startsWith(`${folder}/`) && paths.length < mostPaths) paths.push(pathname)
    if (found === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': found.type }).end(found.text)
  })
  const listening = await startListening(server, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${listening.port}${folder}`
  return {
    jwksUrl: `${base}/jwks.json`,
    certificateUrl: `${base}/certificate.pem`,
    requestedPaths: () => paths,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}
