import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TwotokenError } from '../../base/errors.ts'

/** Resolves with the port; rejects with a sentence for the user when it cannot be had. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is already in use' : error.message
      const message = `backend.fakeMint cannot listen on ${host}:${port}: ${why}; free it, or choose another address in backend.fakeMint.listen`
      reject(new TwotokenError('precondition', message, error))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })
}
