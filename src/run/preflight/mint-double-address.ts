import { createServer } from 'node:net'
import type { FakeMintConfiguration } from '../../roles/mint/types.ts'
import type { Problem } from './problem.ts'

/** The address of the mint double while the double is not there yet: it closes every connection, and counts them. */
export interface MintDoor extends AsyncDisposable {
  knocks(): number
}

/** Holds the address, or says why the double will not be able to. */
export function openMintDoor({ host, port }: FakeMintConfiguration): Promise<MintDoor | Problem> {
  const address = `${host}:${port}`
  return new Promise((resolve) => {
    let count = 0
    const server = createServer((socket) => {
      count += 1
      socket.destroy()
    })
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is already taken' : `cannot be listened on (${code})`
      const message = `${address} ${why}; expected it free for the suite's mint double: free it, or change backend.fakeMint.listen and the address that the backend mints at`
      resolve({ part: 'backend', kind: 'port', message, fatal: true })
    })
    server.listen(port, host, () =>
      resolve({
        knocks: () => count,
        [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
      }),
    )
  })
}
