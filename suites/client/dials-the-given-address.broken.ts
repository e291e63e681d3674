import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages([
    'dials its default address',
    'dials the address beside the token',
    'dials its first address',
    'dials known hosts only',
    'dials the parent domain of the given host',
    'dials an edge in front of the given host',
    'dials a region of the given host',
  ]),
  ...programs(['dials its default address']),
}
