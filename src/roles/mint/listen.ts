import type { Server } from 'node:net'
import { TwotokenError } from '../../base/errors.ts'
import { type Listening, startListening } from '../../base/http/listening.ts'

/** Has the mint double listen; rejects with a sentence for the user when its address cannot be had. */
export async function listen(server: Server, host: string, port: number): Promise<Listening> {
  try {
    return await startListening(server, { host, port })
  } catch (error) {
    const { code, message: said } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'the port is already in use' : said
    const message = `backend.fakeMint cannot listen on ${host}:${port}: ${why}; free it, or choose another address in backend.fakeMint.listen`
    throw new TwotokenError('precondition', message, error)
  }
}
