import { createServer } from 'node:net'
import { startListening } from '../../base/http/listening.ts'

const firstPort = 9400
const lastPort = 9419

/** An address for the mint double that nothing listens on now: the usual one where all are taken. */
export async function findFreeAddress(): Promise<string> {
  const host = '127.0.0.1'
  for (let port = firstPort; port <= lastPort; port++) {
    const listening = await startListening(createServer(), { host, port }).catch(() => null)
    if (listening === null) continue
    await listening[Symbol.asyncDispose]()
    return `${host}:${port}`
  }
  return `${host}:${firstPort}`
}
