import { pages } from './lib/broken-clients.ts'

export const broken = pages([
  'key in a script',
  'key put together by a script',
  'key in a source map',
  'key on the console',
  'key in localStorage',
  'key in sessionStorage in base64',
  'key in a cookie',
  'key in IndexedDB',
  'key in a cache',
  'key in a worker',
  'key in a worker made of a blob',
  'key in a request',
])
