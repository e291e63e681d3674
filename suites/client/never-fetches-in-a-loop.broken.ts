import { pages } from './lib/broken-clients.ts'

export const broken = pages(['tokens renewed in a loop', 'a token every second'], { as: 'warn' })
