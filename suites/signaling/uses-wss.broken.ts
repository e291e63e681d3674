import { rows } from '../lib/broken-rows.ts'

export const broken = rows(
  {
    'is reached without TLS': 'ws://signal.example/ws',
    'is reached without TLS at a numeric address': 'ws://198.51.100.7:8080/ws',
    'is reached without TLS at a name that only begins like loopback': 'ws://localhost.signal.example/ws',
  },
  (url) => ({ configuration: { signaling: { url } } }),
)
