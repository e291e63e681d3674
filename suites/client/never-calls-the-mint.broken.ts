import { pages } from './lib/broken-clients.ts'

export const broken = pages([
  'mints with the key itself',
  'mints with the key besides',
  'asks the mint without a key',
  'key to the own API',
  'key to a third host',
])
