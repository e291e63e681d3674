import { pages } from './lib/broken-clients.ts'

export const broken = pages(['hangs without signalingUrl', 'refuses to connect without signalingUrl'])
