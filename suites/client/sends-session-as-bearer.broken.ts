import { pages } from './lib/broken-clients.ts'

export const broken = pages([
  'session in the query',
  'session in the body',
  'session in the header and the body',
  'session in the header and in base64 in the query',
  'session in two headers',
  'session in a cookie',
  'session under another scheme',
  "API key in the session's place",
  'no session',
])
