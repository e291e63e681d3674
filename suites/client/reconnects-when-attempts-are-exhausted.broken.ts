import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages([
    'gives up when its attempts are exhausted',
    'mints for each attempt, and gives up after three',
    'gives up when it is dropped',
    'stays silent when it is dropped',
    'connects with the refused token again',
    'gives up when it is refused after drops',
    'token captured once',
  ]),
  ...programs(['gives up when it is dropped'], { configuration: { limits: { reconnectSeconds: 6 } } }),
}
