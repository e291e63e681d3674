export interface Clause {
  readonly id: string
  /** Only where the clause opens a section. */
  readonly title?: string
  /** Markdown. */
  readonly text: string
}

/** The specification in our words, under the numbers that requirements cite. For an open point, no part may be accused. */
export const specification: readonly Clause[] = [
  {
    id: '1',
    title: 'The calling service',
    text: 'Voice and video calls for apps, as a hosted service. An SDK inside the app connects to the signaling server of the service.',
  },
  { id: '1.1', text: 'The SDK in the app talks to a signaling server that the service hosts.' },
  { id: '1.2', text: 'Users sign in to the app. The service takes no part in that.' },
  {
    id: '1.3',
    text: 'The service issues a calling JWT with a short life, also called the calling token. It proves to signaling that its bearer may join as one userId.',
  },
  {
    id: '1.4',
    text: 'The backend of the customer gets calling JWTs from the mint endpoint, with an API key that stays on the server. For development, a person may also generate one in the developer console.',
  },
  {
    id: '1.5',
    text: 'Apart from all this, the SDK may check what the developer has paid for, through its option `entitlementProvider`. Without the option, local development runs on a trial. **Open:** what goes over the wire for it.',
  },
  { id: '2', title: 'Tokens, keys and fields', text: 'Two tokens and one key, each with its own place.' },
  {
    id: '2.1',
    title: 'Who issues what, and where it lives',
    text: `| secret | issued by | lives in | proves |
| --- | --- | --- | --- |
| sessionToken | the sign-in of the app, never the service | the app, after sign-in | who is signed in to the app |
| calling JWT | the service, for the backend (or by the console, for tests) | the SDK, by way of \`getAuthToken()\` | who may join signaling |
| API key | the developer console | the environment of the backend, and nowhere else | who may mint |`,
  },
  { id: '2.1.1', text: 'An API key begins with `ac_live_`. No app contains one, and no client is sent one.' },
  {
    id: '2.1.2',
    text: 'The sessionToken is the bearer that the app already sends to its own backend, in any format.',
  },
  {
    id: '2.1.3',
    text: 'The userId in the calling JWT is the same as the one in the configuration of the SDK.',
  },
  {
    id: '2.1.4',
    text: 'Each end user has one userId that stays the same. A calling JWT serves one person only.',
  },
  { id: '2.1.5', text: '**Open:** the claims of a calling JWT, their names included.' },
  {
    id: '2.2',
    title: 'What a mint request contains',
    text: `| field | where | required | meaning |
| --- | --- | --- | --- |
| \`Authorization\` | header | yes | \`Bearer\` and the API key |
| \`Content-Type\` | header | yes | \`application/json\` |
| \`userId\` | JSON body, a string | yes | the user who will join, as peers dial them |
| \`ttlSeconds\` | JSON body, a whole number of seconds | no | how long the token is to live; short is advised ([8](#clause-8)) |`,
  },
  {
    id: '2.3',
    title: 'What the SDK is configured with',
    text: `| field | required | meaning |
| --- | --- | --- |
| \`userId\` | yes | the user for whom the token is minted |
| \`displayName\` | yes | how others see that user |
| \`getAuthToken\` | yes | an async function: asks the backend, and returns the calling JWT |
| \`signalingUrl\` | no | signaling elsewhere; the hosted one without it |
| \`entitlementProvider\` | no | see [1.5](#clause-1.5) |`,
  },
  {
    id: '3',
    title: 'Life of a calling JWT',
    text: 'A calling JWT is worth nothing after its lifetime. A client that signaling does not authenticate gets a new one and connects again. **Open:** any other state.',
  },
  {
    id: '4',
    title: 'Endpoints',
    text: 'Three parts work together: the mint, the token route of the backend, and signaling.',
  },
  {
    id: '4.1',
    title: 'The mint endpoint',
    text: '`POST {base}/api/v1/calling/token`, for backends alone: an app never calls it. The request is that of [2.2](#clause-2.2). Success is a JSON body that contains the calling JWT. **Open:** the name of the field. A backend should expect `token`, then `jwt`, then a body that is nothing but the token.',
  },
  {
    id: '4.2',
    title: 'The token route of the backend',
    text: 'The customer chooses its path (`/calling/token`, say) and framework. It takes POST; GET is possible. The app sends `Authorization: Bearer` with its sessionToken. Success is JSON with the calling JWT as `token`; every failure is a status outside 2xx, and then `getAuthToken` fails as well. What the backend does, in this order:',
  },
  {
    id: '4.2.1',
    text: 'Check the sessionToken with the sign-in of the app, and reject what is invalid or expired, typically with 401 and `{ "error": … }`.',
  },
  { id: '4.2.2', text: 'Take the userId from the session, which names who is signed in.' },
  { id: '4.2.3', text: 'Call the mint with the API key and a `ttlSeconds`, 900 for instance.' },
  { id: '4.2.4', text: 'If that fails, answer with an error, typically 502 and `{ "error": … }`.' },
  { id: '4.2.5', text: 'Otherwise answer `{ "token": … }` with the calling JWT.' },
  {
    id: '4.3',
    title: 'Signaling',
    text: 'A WebSocket over TLS (`wss`). Its credential is the calling JWT that `getAuthToken()` returned. **Open:** every message of the protocol.',
  },
  {
    id: '4.4',
    title: 'Test tokens from the console',
    text: 'For development, a person generates a JWT for a project and a userId in the console and lets `getAuthToken` return it for a while: one for each device and user, and a new one when signaling rejects it. No build for production contains such a JWT.',
  },
  { id: '5', title: 'Authentication', text: 'Who shows what to whom.' },
  {
    id: '5.1',
    text: 'Neither token replaces the other: the sessionToken goes to the backend of the app alone, the calling JWT to signaling.',
  },
  { id: '5.2', text: 'The API key goes to the mint alone, as a bearer, from a server.' },
  { id: '5.3', text: 'The app authenticates to its backend with the sessionToken as a bearer.' },
  {
    id: '5.4',
    text: 'The SDK authenticates to signaling with the calling JWT, for the userId of its configuration.',
  },
  {
    id: '5.5',
    text: '`getAuthToken()` returns a freshly minted token where it can, and keeps none for ever.',
  },
  {
    id: '5.6',
    text: 'When signaling says 401, or when no attempt to reconnect is left, the client gets a new token and connects again.',
  },
  { id: '5.7', text: '**Open:** how the calling JWT is carried to signaling, and how it is signed.' },
  { id: '6', title: 'Events', text: '**Open:** there may be none.' },
  {
    id: '7',
    title: 'Errors',
    text: `The mint typically answers:

| status | when |
| --- | --- |
| 401 | the API key is not valid |
| 402 | the trial has ended |
| 403 | something is wrong with the project or the account |
| 429 | the trial has used up its tokens |`,
  },
  { id: '7.1', text: '**Open:** what the body of such an answer looks like.' },
  {
    id: '7.2',
    text: 'A backend typically answers 401 for the session and 502 for the mint, with `{ "error": … }`.',
  },
  {
    id: '7.3',
    text: 'Signaling reports that it did not authenticate a client as 401. The client then mints again.',
  },
  {
    id: '8',
    title: 'Limits',
    text: 'A lifetime is to be minutes, not days: from 60 to 3,600 seconds, 900 for instance. A trial has a cap on tokens, which 429 reports. **Open:** the number of the cap, the lifetime where none is asked for, the shortest and the longest one that the service grants, and limits on the rate.',
  },
  { id: '9', title: 'Versions', text: 'The path of the mint names its version.' },
  { id: '9.1', text: 'That is the `v1` in `/api/v1/calling/token`.' },
  { id: '9.2', text: '**Open:** how versions end and what stays compatible.' },
]
