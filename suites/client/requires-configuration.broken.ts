import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages([
    'connects without a userId',
    'connects without a displayName',
    'connects without getAuthToken',
    'connects without any token',
  ]),
  ...programs(['connects without a userId']),
}
