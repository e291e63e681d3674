import { createServer } from 'node:net'
import type { FakeMintConfiguration } from '../../roles/mint/types.ts'
import type { Problem } from './problem.ts'

/** Listens at the address of the mint double before the double does: it closes every connection, and counts them. */
export interface ReservedAddress extends AsyncDisposable {
  connections(): number
}

/** Reserves the address, or explains why the double cannot listen there. */
export function reserveMintAddress({
  host,
  port,
}: FakeMintConfiguration): Promise<ReservedAddress | Problem> {
  const address = `${host}:${port}`
  return new Promise((resolve) => {
    let count = 0
    const server = createServer((socket) => {
      count += 1
      socket.destroy()
    })
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is already in use' : `cannot be bound (${code})`
      const message = `${address} ${why}; the suite's mint double needs it: free it, or change backend.fakeMint.listen and the mint address of the backend`
      resolve({ part: 'backend', kind: 'port', message, fatal: true })
    })
    server.listen(port, host, () =>
      resolve({
        connections: () => count,
        [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
      }),
    )
  })
}
