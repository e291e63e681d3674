import { pages } from './lib/broken-clients.ts'

export const broken = pages(['asks its backend again at once'], { as: 'warn' })
