import { frameAlone, frameBeforeClose, pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages([
    'mints after a refusal at connect only',
    'mints after a refusal in mid-session only',
    'gives up when it is refused in mid-session',
    'mints after its first refusal in mid-session only',
    'goes back to its first token at the second refusal',
    'token captured once',
  ]),
  ...programs(['gives up when it is refused in mid-session'], {
    configuration: { limits: { reconnectSeconds: 6 } },
  }),
  ...pages(['reads no error frame'], { configuration: frameAlone }),
  ...pages(['gives up when it reads an error frame'], { configuration: frameBeforeClose }),
}
