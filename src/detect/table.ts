import type { Carriage } from '../roles/signaling/carriages/registry.ts'
import type { SignalingProfile } from '../roles/signaling/profile.ts'
import type { Cue } from '../roles/signaling/signs.ts'

// How services take a calling token and a userId: guesses, in the order in which they are tried.

const messages = [
  '{"type":"auth","token":"{jwt}"}',
  '{"type":"authenticate","token":"{jwt}"}',
  '{"event":"auth","data":{"token":"{jwt}"}}',
  '{"type":"connection_init","payload":{"token":"{jwt}"}}', // graphql-ws
  '{"type":"connection_init","payload":{"Authorization":"Bearer {jwt}"}}',
  '40{"token":"{jwt}"}', // Socket.IO
  '{"id":1,"connect":{"token":"{jwt}"}}', // Centrifugo
  '["1","1","calls:{userId}","phx_join",{"token":"{jwt}"}]', // Phoenix
  '["{\\"token\\":\\"{jwt}\\"}"]', // SockJS
  '{"janus":"create","transaction":"t-1","token":"{jwt}"}',
  '{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"token":"{jwt}"}}',
  'CONNECT {"verbose":true,"pedantic":false,"jwt":"{jwt}"}\r\n', // NATS
  '{"token":"{jwt}"}',
  'AUTH {jwt}',
  '{jwt}',
]
const authorizations = ['Bearer {jwt}', '{jwt}', 'Token {jwt}']
const headers = ['X-Auth-Token', 'X-Access-Token', 'X-Calling-Token']
const subprotocols = ['bearer.{jwt}', 'token.{jwt}', 'access_token {jwt}', 'bearer {jwt}', '{jwt}']
const names = ['token', 'access_token', 'jwt', 'auth_token', 'calling_token', 'auth']

/** From the place where a token leaks least to the one that every log keeps. */
export function listCarriages(after: Cue): Carriage[] {
  return [
    ...messages.map((template): Carriage => ({ in: 'message', template, after })),
    ...authorizations.map((template): Carriage => ({ in: 'header', name: 'Authorization', template })),
    ...headers.map((name): Carriage => ({ in: 'header', name, template: '{jwt}' })),
    ...subprotocols.map((offered): Carriage => ({ in: 'subprotocol', protocols: offered.split(' ') })),
    ...names.map((name): Carriage => ({ in: 'cookie', name })),
    ...names.map((name): Carriage => ({ in: 'query', name })),
  ]
}

/** Places in which a client may state its userId besides its token. */
export const userPlaces = [
  ...['as', 'userId', 'user_id', 'uid', 'user'].map((name) => ({ in: 'query' as const, name })),
  ...['X-User-Id', 'X-Calling-User', 'X-User'].map((name) => ({ in: 'header' as const, name })),
  ...['userId', 'user_id', 'uid', 'as', 'user'].map((name) => ({ in: 'beside' as const, name })),
]
export type UserPlace = (typeof userPlaces)[number]

/** Additions to an upgrade that do not depend on the credential: a subprotocol, or the path of a SockJS session. */
export const entrances: readonly Pick<SignalingProfile, 'path' | 'subprotocols'>[] = [
  ...['graphql-transport-ws', 'graphql-ws', 'janus-protocol'].map((name) => ({ subprotocols: [name] })),
  { path: '/{random}/{random}/websocket' },
]

/** The handshake without a token that SignalR wants before it says anything. */
export const opening = '{"protocol":"json","version":1}\u001e'
