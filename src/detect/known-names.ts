// Names that services use for tokens and users: guesses, in the order in which they are tried.

/** Subprotocols that some services insist on, whatever carries their tokens. No service knows the first. */
export const knownSubprotocols: readonly string[] = words(`
  x-twotoken-none graphql-transport-ws graphql-ws mqtt v12.stomp v11.stomp v10.stomp wamp.2.json
  actioncable-v1-json json.webpubsub.azure.v1 janus-protocol ocpp1.6 sip xmpp nats
`)

export const userNames: readonly string[] = words(`
  as userId user_id userid user uid username clientId client_id identity id sub
`)
export const userHeaders = ['X-User-Id', 'X-Calling-User', 'X-User', 'X-Client-Id', 'X-Identity']
export const tokenNames: readonly string[] = words(`
  token access_token accessToken jwt auth_token authToken calling_token callingToken auth authorization
  Authorization bearer id_token credential
`)
export const cookieNames: readonly string[] = words(`
  token access_token accessToken jwt auth_token authToken calling_token callingToken auth id_token session
  Authorization __Host-token __Secure-token
`)
export const tokenHeaders: readonly string[] = words(`
  X-Auth-Token X-Access-Token X-Token X-JWT X-Authorization X-Calling-Token Token Auth-Token Access-Token
  Calling-Token JWT
`)
export const subprotocolPrefixes: readonly string[] = words(`
  bearer. base64url.bearer. jwt. token. auth. access_token. authorization.bearer. bearer- jwt- token-
  auth-
`)
export const capitalPrefixes = ['Bearer.', 'Token.', 'JWT.', 'Authorization.', 'Authorization.Bearer.']
export const subprotocolPairs: readonly string[] = words(`
  access_token bearer Bearer token jwt auth Authorization authorization
`)
export const kinds: readonly string[] = words(`
  auth authenticate authorization authorize login connect connection_init hello identify join register
  token init handshake AUTH Authenticate
`)
export const kindFields = ['type', 'event', 'action', 'op', 'cmd', 'method', 'kind', 'command', 'request']
export const fieldTokens: readonly string[] = words(`
  token jwt accessToken access_token authToken auth_token authorization bearer callingToken credential
`)
export const containers = ['payload', 'data', 'params', 'auth', 'd', 'body']
export const fieldUsers = ['userId', 'user_id', 'user', 'uid', 'as', 'username', 'id']
export const hellos: readonly string[] = words(`
  hello join register login identify connect init user presence subscribe
`)

/** Handshakes without a token, which a service wants before it says anything: SignalR's. */
export const openings = ['{"protocol":"json","version":1}\u001e']

/** Messages that are no JSON, of known protocols or in an obvious form. */
export const texts = [
  '40{"token":"{jwt}"}',
  'CONNECT {"verbose":true,"pedantic":false,"jwt":"{jwt}"}\r\n',
  'CONNECT {"verbose":true,"pedantic":false,"auth_token":"{jwt}"}\r\n',
  'CONNECT\naccept-version:1.2,1.1,1.0\nhost:/\nlogin:{userId}\npasscode:{jwt}\nAuthorization:Bearer {jwt}\n\n\u0000',
  'AUTH {jwt}',
  'auth {jwt}',
  'Bearer {jwt}',
  'AUTH {userId} {jwt}',
  'token {jwt}',
  '{jwt}',
  '40{"token":"{jwt}","userId":"{userId}"}',
  'CONNECT {"verbose":true,"pedantic":false,"user":"{userId}","pass":"{jwt}"}\r\n',
]

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
