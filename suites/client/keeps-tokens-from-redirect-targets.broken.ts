import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages(['session in two headers', 'session in the header and the body']),
  ...programs([
    'follows redirects with the header',
    'follows redirects with the session in the query',
    'follows a redirect of signaling',
  ]),
}
