import { createServer, type Server } from 'node:net'
import { TwotokenError } from '../../base/errors.ts'
import { type Listening, startListening } from '../../base/http/listening.ts'
import type { FakeMintConfiguration } from './configuration.ts'

/** Has the mint double listen; rejects with a sentence for the user when its address cannot be had. */
export async function listen(server: Server, host: string, port: number): Promise<Listening> {
  try {
    return await startListening(server, { host, port })
  } catch (error) {
    const { code, message: said } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'the port is already in use' : said
    const message = `backend.fakeMint cannot listen on ${host}:${port}: ${why}: free it, or change backend.fakeMint.listen and the mint address of the backend`
    throw new TwotokenError('precondition', message, error)
  }
}

/**
 * Looks for another server at the address of the double, before a backend is started that would call it. An address that this
 * machine does not have yet may come with what is started.
 * @throws TwotokenError `precondition`
 */
export async function assertListenable({ host, port }: FakeMintConfiguration): Promise<void> {
  try {
    await using _free = await listen(
      createServer((socket) => socket.destroy()),
      host,
      port,
    )
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    if (cause?.code === 'EADDRINUSE') throw error
  }
}
