import { programs } from './lib/broken-clients.ts'

export const broken = programs(
  [
    'verifies no certificate',
    'verifies no certificate of signaling',
    'verifies no certificate of its backend',
  ],
  { configuration: { client: { tls: true } }, as: 'warn' },
)
