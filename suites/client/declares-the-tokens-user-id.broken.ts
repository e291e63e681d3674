import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages([
    'declares the e-mail address',
    'declares the display name',
    'declares the first user for ever',
    'declares the userId in capitals',
  ]),
  ...programs(['declares the e-mail address']),
}
