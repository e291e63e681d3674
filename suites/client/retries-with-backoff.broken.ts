import { pages } from './lib/broken-clients.ts'

export const broken = pages(
  ['retries without a pause', 'delays that do not grow', 'two mints for each failure'],
  { as: 'warn' },
)
