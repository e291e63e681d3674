import { createServer } from 'node:http'
import { Duplex } from 'node:stream'
import { Server as Hocuspocus } from '@hocuspocus/server'
import { Aedes } from 'aedes'
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { Server } from 'socket.io'
import { createServer as createSockJs } from 'sockjs'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  type ForeignServer,
  foreignServer,
  listenOnLoopback,
  type Mistake,
  mistakes,
  startSharedSecretMint,
  userOf,
} from '../../fixtures/servers/server.ts'
import type { Verify } from '../../fixtures/servers/stand-in.ts'

/** SockJS, whose first message has the token; its path differs in every connection. */
export async function startSockJs(): Promise<ForeignServer> {
  await using parts = new AsyncDisposableStack()
  const mint = parts.use(await startSharedSecretMint())
  const http = createServer()
  const sockjs = createSockJs({ log: () => undefined })
  sockjs.on('connection', (connection) => {
    connection.once('data', (message) => {
      const { token }: { readonly token?: unknown } = JSON.parse(message)
      userOf(token, mint).then(
        (userId) => connection.write(JSON.stringify({ type: 'welcome', userId })),
        () => connection.close('4401', 'unauthorized'),
      )
    })
  })
  sockjs.installHandlers(http, { prefix: '/calling' })
  const { port } = parts.use(await listenOnLoopback(http))
  return foreignServer(parts, mint, `ws://127.0.0.1:${port}/calling`)
}

/** graphql-ws with `onConnect` as its documentation shows it: the token comes in the parameters of the connection. */
export async function startGraphqlWs(): Promise<ForeignServer> {
  await using parts = new AsyncDisposableStack()
  const mint = parts.use(await startSharedSecretMint())
  const http = createServer()
  const { port } = parts.use(await listenOnLoopback(http))
  const query = new GraphQLObjectType({ name: 'Query', fields: { hello: { type: GraphQLString } } })
  const sockets = new WebSocketServer({ server: http, path: '/graphql' })
  const service = useServer(
    {
      schema: new GraphQLSchema({ query }),
      // Its usual 3 s pass on a busy machine, on which one process is both ends.
      connectionInitWaitTimeout: 60_000,
      onConnect: ({ connectionParams }) =>
        userOf(connectionParams?.['token'], mint).then(
          () => true,
          () => false,
        ),
    },
    sockets,
  )
  parts.defer(() => service.dispose())
  return foreignServer(parts, mint, `ws://127.0.0.1:${port}/graphql`)
}

/** Hocuspocus, which lets clients into a document by a token in a binary message. */
export async function startHocuspocus(otherwise?: Verify): Promise<ForeignServer> {
  const mint = await startSharedSecretMint()
  const verify = otherwise ?? ((token) => userOf(token, mint))
  const server = new Hocuspocus({
    quiet: true,
    stopOnSignals: false,
    address: '127.0.0.1',
    // Given to listen, 0 would be port 80.
    port: 0,
    async onAuthenticate({ token }: { token: string }) {
      // It writes the message of whatever is thrown to the console.
      const userId = await verify(token).catch(() => Promise.reject(new Error()))
      return { userId }
    },
  })
  await server.listen()
  return {
    mint,
    signalingUrl: `ws://127.0.0.1:${server.address.port}/`,
    async [Symbol.asyncDispose]() {
      await server.destroy()
      await mint[Symbol.asyncDispose]()
    },
  }
}

/** "Not authorized" of MQTT 3.1.1. */
const notAuthorized = 5

/** The MQTT broker Aedes over WebSocket: the token is the password of the user whom it names. */
export async function startMqtt(otherwise?: Verify): Promise<ForeignServer> {
  await using parts = new AsyncDisposableStack()
  const mint = parts.use(await startSharedSecretMint())
  const verify = otherwise ?? ((token) => userOf(token, mint))
  const broker = await Aedes.createBroker({
    authenticate(_, username, password, done) {
      const refuse = () =>
        done(Object.assign(new Error('not authorized'), { returnCode: notAuthorized }), false)
      verify(String(password ?? '')).then(
        (userId) => (userId === username ? done(null, true) : refuse()),
        refuse,
      )
    },
  })
  parts.defer(() => new Promise<void>((resolve) => broker.close(() => resolve())))
  const http = createServer()
  new WebSocketServer({ server: http }).on('connection', (socket, request) => {
    broker.handle(packetStream(socket), request)
  })
  const { port } = parts.use(await listenOnLoopback(http))
  return foreignServer(parts, mint, `ws://127.0.0.1:${port}/mqtt`)
}

/** Sends a packet as one frame: with the stream of `ws`, each field of a packet would be a frame. */
function packetStream(socket: WebSocket): Duplex {
  const stream = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, callback) => socket.send(bytes, callback),
    writev: (chunks, callback) =>
      socket.send(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), callback),
    destroy(error, callback) {
      socket.terminate()
      callback(error)
    },
  })
  stream.on('error', () => socket.terminate())
  socket.on('message', (bytes) => stream.push(bytes))
  socket.on('close', () => stream.destroy())
  return stream
}

/** Socket.IO with the middleware that its documentation shows: the token comes in `auth`. */
export async function startSocketIo(mistake?: Mistake): Promise<ForeignServer> {
  await using parts = new AsyncDisposableStack()
  const mint = parts.use(await startSharedSecretMint())
  const verify = mistake === undefined ? userOf : mistakes[mistake]
  const http = createServer()
  const io = new Server(http)
  io.use((socket, next) => {
    verify(socket.handshake.auth['token'], mint).then(
      () => next(),
      () => next(new Error('unauthorized')),
    )
  })
  const { port } = parts.use(await listenOnLoopback(http))
  parts.defer(() => io.close())
  return foreignServer(parts, mint, `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
}
