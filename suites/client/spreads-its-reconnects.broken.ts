import { pages } from './lib/broken-clients.ts'

export const broken = pages(['delays without jitter'], { as: 'warn' })
