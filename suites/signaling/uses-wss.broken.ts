import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'is reached without TLS': { configuration: { signaling: { url: 'ws://signal.example/ws' } } },
  'is reached without TLS at a numeric address': {
    configuration: { signaling: { url: 'ws://198.51.100.7:8080/ws' } },
  },
  'is reached without TLS at a name that only begins like loopback': {
    configuration: { signaling: { url: 'ws://localhost.signal.example/ws' } },
  },
}
