import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages([
    'session in the address of the socket',
    'session as the credential of signaling',
    'session in a message on the socket',
    'session in a late message on the socket',
    'session to an error reporter',
    'calling token to an error reporter',
    'calling token in compressed events',
    'session to signaling after a drop',
    'session to a third host',
    'session in the header of every request',
    'calling token to the own API',
    'calling token as bearer of the own API',
    'calling token back to the token route',
    'calling token in a cookie',
    'calling token to a third host',
    'calling token in the address of another request',
  ]),
  ...pages(['part of the session in heartbeats'], { as: 'warn' }),
  'is described with another address of signaling': {
    client: {},
    configuration: { client: { signalingUrl: 'wss://other.example/**' } },
    as: 'error',
  },
}
