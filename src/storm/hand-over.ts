import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Configuration } from '../configuration/configuration.ts'

/** The variable that names the socket: what an environment holds, other programs of the user could read. */
export const handOverVariable = 'TWOTOKEN_STORM'

export interface HandedOver {
  readonly configuration: Configuration
  /** The folder for the figures of each thread. */
  readonly partsFolder: string
}

export interface HandOver extends AsyncDisposable {
  readonly path: string
}

/** Gives the threads of Artillery what the command has read and started, through a socket in a folder of this user alone. */
export async function startHandOver(given: HandedOver): Promise<HandOver> {
  const path = join(given.partsFolder, 'socket')
  const message = JSON.stringify(given)
  const server = createServer((socket) => {
    // A thread that ends meanwhile needs it no more.
    socket.on('error', () => undefined).end(message)
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    path,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export async function receiveHandOver(path: string): Promise<HandedOver> {
  return JSON.parse(await text(connect(path)))
}

/** Begins the line with the figures of one thread, where there is no folder for them. */
export const partPrefix = 'twotoken storm part '

/** Begins the name of a file with the figures of one thread. */
export const partFile = 'part-'
