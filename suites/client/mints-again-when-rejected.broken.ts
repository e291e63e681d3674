import { frameAlone, frameBeforeClose, pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages([
    'token captured once',
    'the token route answered from a cache',
    'mints, and connects with the first token',
    'connects with the refused token again',
    'connects with its first token after the second refusal',
    'gives up when it is refused',
    'mints, and does not connect',
    'a refusal taken for a drop',
  ]),
  ...pages(['stops at the second refusal'], { as: 'warn' }),
  ...programs(['token captured once'], { configuration: { limits: { reconnectSeconds: 6 } } }),
  ...programs(['a refusal taken for a drop'], { signaling: { refusal: { by: 'http', status: 401 } } }),
  ...pages(['reads no error frame'], { configuration: frameAlone }),
  ...pages(['gives up when it reads an error frame'], { configuration: frameBeforeClose }),
}
