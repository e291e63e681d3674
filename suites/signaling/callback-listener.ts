import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UntrustedSigner } from '../../src/base/tokens/forge-untrusted.ts'

/** Serves the untrusted key at the URLs that a forged header names, and records the requests. */
export interface CallbackListener extends AsyncDisposable {
  readonly jwksUrl: string
  readonly certificateUrl: string
  /** The requested paths. */
  requestedPaths(): readonly string[]
}

export async function startCallbackListener({
  publicJwk,
  certificate,
  alg,
}: UntrustedSigner): Promise<CallbackListener> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    const isCertificate = request.url === '/certificate.pem'
    const keySet = { keys: [{ ...publicJwk, alg, use: 'sig' }] }
    response.setHeader('content-type', isCertificate ? 'application/x-pem-file' : 'application/json')
    response.end(isCertificate ? certificate : JSON.stringify(keySet))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    jwksUrl: `${base}/jwks.json`,
    certificateUrl: `${base}/certificate.pem`,
    requestedPaths: () => paths,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
